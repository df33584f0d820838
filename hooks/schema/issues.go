package schema

import (
	"strconv"
	"unicode/utf8"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// MaxIssues is how many issues a ValidationError lists.
const MaxIssues = 10

// AndMore stands behind the issues that are listed where there are more.
const AndMore = "and more"

// ValidationError says all that is wrong with an input, in words for the agent that sent it. Its text has no subject
// where the input itself is meant ("must be an object"), so a caller puts "invalid input: " or the like before it.
type ValidationError struct {
	Issues []Issue // at least one, at most MaxIssues
	More   bool    // whether there are issues that are not listed
	Err    error   // why the input was not looked at: ErrTooLarge, ErrTooComplex, ErrTooDeep, ErrNotJSON; or nil
}

// Error returns all issues in one line.
func (e *ValidationError) Error() string {
	text := ""
	for i, issue := range e.Issues {
		if i > 0 {
			text += "; "
		}
		text += issue.String()
	}
	if e.More {
		text += "; " + AndMore
	}
	return text
}

// Unwrap returns Err.
func (e *ValidationError) Unwrap() error { return e.Err }

// Issue is one thing that is wrong with an input.
type Issue struct {
	Path     string // where, such as "items[2].id"; "" is the input itself. With Options.Authored, "/items/2/id"
	Expected string // what should be: "must be <= 10", "is required"
	Got      string // the JSON text that was there, shortened; "" where nothing was, or where it does not matter

	node   jsontape.Node
	types  typeSet // what was expected, if it is the type that was wrong
	choice bool    // whether const or enum was broken, as the tag of a union is
}

// String returns the issue in one line: "quantity: must be <= 10, got 12".
func (i Issue) String() string {
	text := i.Expected
	if i.Path != "" {
		text = i.Path + ": " + text
	}
	if i.Got != "" {
		text += ", got " + i.Got
	}
	return text
}

// report adds an issue about n and returns false, for the caller to return.
func (r *run) report(n jsontape.Node, expected string) bool {
	return r.add(r.issue(n, expected))
}

// reportBare is report where it does not matter what came.
func (r *run) reportBare(n jsontape.Node, expected string) bool {
	issue := r.issue(n, expected)
	issue.Got = ""
	return r.add(issue)
}

// reportMissing is report for a property that n should have.
func (r *run) reportMissing(n jsontape.Node, name, expected string) bool {
	issue := r.issue(n, expected)
	issue.Path, issue.Got = r.join(issue.Path, name), ""
	return r.add(issue)
}

// reportType reports a wrong type, in the words of the schema if it has any.
func (r *run) reportType(n jsontape.Node, types typeSet, says string) bool {
	if says == "" {
		says = "must be " + types.describe()
	}
	issue := r.issue(n, says)
	issue.types = types
	return r.add(issue)
}

func (r *run) reportChoice(n jsontape.Node, constants []constant) bool {
	issue := r.issue(n, "must be "+describeConstants(constants))
	issue.choice = true
	return r.add(issue)
}

func (r *run) issue(n jsontape.Node, expected string) *Issue {
	return &Issue{Path: r.pathTo(n), Expected: expected, Got: shorten(r.tape.Raw(n)), node: n}
}

//go:noinline
func (r *run) add(issue *Issue) bool {
	if len(r.issues) < MaxIssues {
		r.issues = append(r.issues, *issue)
	} else {
		r.more = true
	}
	return false
}

// pathTo returns the path from the root to n. The name of a property has the path of its value.
func (r *run) pathTo(n jsontape.Node) string {
	t, path := r.tape, ""
	for at := jsontape.Root; at != n; {
		child, end := t.Children(at)
		if t.Kind(at) == jsontape.Array {
			i := 0
			for ; child < end && t.Next(child) <= n; child = t.Next(child) {
				i++
			}
			if r.schema.authored {
				path += "/" + itoa(i)
			} else {
				path += "[" + itoa(i) + "]"
			}
			at = child
			continue
		}
		for child < end && t.Next(child+1) <= n {
			child = t.Next(child + 1)
		}
		path = r.join(path, t.Str(child))
		if n == child {
			break
		}
		at = child + 1
	}
	return path
}

// maxName is how many bytes of a name a path shows: an agent can send a name that is as long as its input.
const maxName = 120

func (r *run) join(path, name string) string {
	if r.schema.authored {
		return joinPointer(path, name)
	}
	if len(name) > maxName {
		end := maxName
		for !utf8.RuneStart(name[end]) {
			end--
		}
		name = name[:end] + "…"
	}
	for i := range len(name) {
		c := name[i]
		if !isAlnum(c) && c != '_' && c != '$' && c != '-' && c < utf8.RuneSelf {
			return path + "[" + string(jsontape.AppendString(nil, name)) + "]"
		}
	}
	switch {
	case name == "":
		return path + `[""]`
	case path == "":
		return name
	}
	return path + "." + name
}

// shorten cuts a text to what is good to read in a message.
func shorten(text []byte) string {
	const most = 60
	if len(text) <= most {
		return string(text)
	}
	cut := most - 3
	for cut > most-7 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return string(text[:cut]) + "..."
}

// list joins words as "a, b or c", and leaves out what is too much to read.
func list(words []string, last string) string {
	const most = 20
	text := ""
	for i, word := range words {
		switch {
		case i == most:
			return text + ", ..."
		case i > 0 && i == len(words)-1:
			text += last
		case i > 0:
			text += ", "
		}
		text += word
	}
	return text
}

// describe returns the types in words.
func (ts typeSet) describe() string {
	var words []string
	for kind, name := range [...]string{"null", "a boolean", "a number", "a string", "an array", "an object", "an integer"} {
		if ts&(1<<kind) != 0 {
			words = append(words, name)
		}
	}
	return list(words, " or ")
}

// counted returns "1 item", "2 items".
func counted(n int, unit string) string {
	if unit == "property" && n != 1 {
		unit = "properties"
	} else if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}
