package policy

import "strings"

// Tool is what a policy knows of a tool: its name and what its contract hints at.
type Tool struct {
	Name             string
	ReadOnly         bool
	UntrustedContent bool
	Consequential    bool
	Debugging        bool
}

// hints are the hints that a rule can name.
var hints = []string{"consequential", "readOnly", "writes", "untrustedContent", "debugging"}

// hinted reports whether a tool has a hint.
func (t Tool) hinted(hint string) bool {
	switch hint {
	case "consequential":
		return t.Consequential
	case "readOnly":
		return t.ReadOnly
	case "writes":
		return !t.ReadOnly
	case "untrustedContent":
		return t.UntrustedContent
	default:
		return t.Debugging
	}
}

// selector names tools: by name, by hint, or those that have both.
type selector struct {
	name string // a glob; "" is any
	hint string // "" is any
}

func matches(selectors []selector, t Tool) bool {
	for _, s := range selectors {
		if (s.name == "" || glob(s.name, t.Name)) && (s.hint == "" || t.hinted(s.hint)) {
			return true
		}
	}
	return false
}

// glob reports whether a name is what a pattern says, in which * stands for any text,
// also none.
func glob(pattern, name string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	if !strings.HasPrefix(name, first) {
		return false
	}
	name = name[len(first):]
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star { // the end
			return strings.HasSuffix(name, part)
		}
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name, rest = name[i+len(part):], more
	}
}

// isGlob reports whether a text can be the pattern of a tool's name.
func isGlob(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' && c != '*' {
			return false
		}
	}
	return s != ""
}
