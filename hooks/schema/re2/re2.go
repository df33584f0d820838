// Package re2 runs ECMA-262 patterns on Go's regexp package, for programs that have no JavaScript engine at hand. It
// is not part of the module for the browser, which has one.
package re2

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Compile compiles a pattern as JavaScript's RegExp does with the flag u. What RE2 cannot express (lookaround,
// backreferences, most binary Unicode properties) is an error. The function is safe for concurrent use, and has never an
// error: it takes time in proportion to the string.
func Compile(pattern string) (match func(s string) (bool, error), err error) {
	translated, err := translate(pattern)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return nil, err
	}
	return func(s string) (bool, error) { return re.MatchString(s), nil }, nil
}

// White space and its complement, as members of a class: JavaScript's \s knows Unicode, RE2's does not.
const (
	space    = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	notSpace = `\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
		`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

// translate rewrites what RE2 spells otherwise.
func translate(pattern string) (string, error) {
	var out strings.Builder
	inClass := false
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		switch c := rest[0]; {
		case c == '\\':
			text, size, err := escape(rest, inClass)
			if err != nil {
				return "", err
			}
			out.WriteString(text)
			i += size
			continue
		case inClass && c == '[': // RE2 would look for [:alpha:]
			out.WriteString(`\[`)
		case !inClass && strings.HasPrefix(rest, "[^]"):
			out.WriteString(`[\x{0}-\x{10ffff}]`)
			i += 2
		case !inClass && strings.HasPrefix(rest, "[]"):
			out.WriteString(`[^\x{0}-\x{10ffff}]`)
			i++
		case !inClass && strings.HasPrefix(rest, "(?P"):
			return "", fmt.Errorf("invalid group %q", "(?P")
		case !inClass && c == '.':
			out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		default:
			if c == '[' || c == ']' {
				inClass = c == '['
			}
			out.WriteByte(c)
		}
		i++
	}
	return out.String(), nil
}

// escape translates the escape that s begins with, and returns how long it is.
func escape(s string, inClass bool) (text string, size int, err error) {
	if len(s) < 2 {
		return "", 0, fmt.Errorf(`\ at the end`)
	}
	invalid := fmt.Errorf("invalid escape %s", s[:2])
	switch c := s[1]; c {
	case 's', 'S':
		members := space
		if c == 'S' {
			members = notSpace
		}
		if !inClass {
			members = "[" + members + "]"
		}
		return members, 2, nil
	case 'b':
		if inClass {
			return `\x{8}`, 2, nil
		}
		return s[:2], 2, nil
	case 'B':
		if inClass {
			return "", 0, invalid
		}
		return s[:2], 2, nil
	case 'd', 'D', 'w', 'W', 't', 'n', 'r', 'f', 'v':
		return s[:2], 2, nil
	case '0':
		return `\x{0}`, 2, nil
	case 'c':
		if len(s) < 3 || !isLetter(s[2]) {
			return "", 0, invalid
		}
		return fmt.Sprintf(`\x{%x}`, s[2]&0x1f), 3, nil
	case 'x':
		r, ok := hex(s, 2, 2)
		if !ok {
			return "", 0, invalid
		}
		return fmt.Sprintf(`\x{%x}`, r), 4, nil
	case 'u':
		return codePoint(s)
	case 'p', 'P':
		end := strings.IndexByte(s, '}')
		if end < 0 || s[2] != '{' {
			return "", 0, invalid
		}
		return s[:2] + "{" + property(s[3:end]) + "}", end + 1, nil
	default:
		if isLetter(c) || '1' <= c && c <= '9' {
			return "", 0, invalid
		}
		return s[:2], 2, nil
	}
}

// codePoint translates \u with four digits, a surrogate pair of those, and \u{} with any number of them.
func codePoint(s string) (text string, size int, err error) {
	if strings.HasPrefix(s, `\u{`) {
		end := strings.IndexByte(s, '}')
		if r, ok := hex(s, 3, end-3); ok && r <= 0x10ffff {
			return fmt.Sprintf(`\x{%x}`, r), end + 1, nil
		}
		return "", 0, fmt.Errorf(`invalid escape \u{`)
	}
	r, ok := hex(s, 2, 4)
	if !ok {
		return "", 0, fmt.Errorf(`invalid escape \u`)
	}
	if low, ok := hex(s, 8, 4); ok && s[6:8] == `\u` {
		if pair := utf16.DecodeRune(r, low); pair != '\ufffd' {
			return fmt.Sprintf(`\x{%x}`, pair), 12, nil
		}
	}
	return fmt.Sprintf(`\x{%x}`, r), 6, nil
}

func hex(s string, at, digits int) (rune, bool) {
	if digits < 1 || at+digits > len(s) {
		return 0, false
	}
	n, err := strconv.ParseUint(s[at:at+digits], 16, 31)
	return rune(n), err == nil
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// categories are the names of general categories for which RE2 knows only the short ones.
var categories = map[string]string{
	"Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Titlecase_Letter": "Lt", "Cased_Letter": "LC",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
	"Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
	"Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
	"Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
	"Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
	"Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
	"Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Private_Use": "Co",
}

// property returns RE2's name for a Unicode property.
func property(name string) string {
	if key, value, ok := strings.Cut(name, "="); ok {
		switch key {
		case "General_Category", "gc", "Script", "sc", "Script_Extensions", "scx":
			name = value
		}
	}
	if short, ok := categories[name]; ok {
		return short
	}
	return name
}
