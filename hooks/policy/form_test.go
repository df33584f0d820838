package policy_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

var write = flag.Bool("write", false, "write form.go")

// former writes what Parse needs of the published schema: nothing for people and
// editors; of a condition only that it is an object, since it is compiled; as a
// pattern the name of the definition, since not everyone who parses documents has
// regular expressions; and what a definition says of itself as the message about a value that is something
// else.
type former struct {
	tape *jsontape.Tape
	out  []byte
}

func (f *former) put(s string) { f.out = append(f.out, s...) }

// object writes an object. definition is its name, if it is one of $defs; names are
// whether its members are schemas with names, rather than keywords.
func (f *former) object(n jsontape.Node, definition string, names bool) {
	t := f.tape
	f.put("{")
	_, hasFormat := t.Member(n, "format")
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		keyword, v := t.Str(k), k+1
		switch {
		case names:
		case keyword == "description" && definition != "":
			says := t.Str(v)
			f.put(`"errorMessage":`)
			f.out = jsontape.AppendString(f.out, "must be "+strings.ToLower(says[:1])+says[1:len(says)-1])
			f.put(",")
			continue
		case keyword == "pattern":
			if !hasFormat {
				f.put(`"pattern":"` + definition + `",`)
			}
			continue
		case keyword == "$ref" && t.Equal(v, "#/$defs/schema"),
			keyword == "$schema" || keyword == "$id" || keyword == "title" || keyword == "description" || keyword == "$comment":
			continue
		}
		if keyword == "$defs" && !names {
			f.put(`"$defs":{`)
			for d, end := t.Children(v); d < end; d = t.Next(d + 1) {
				name := t.Str(d)
				if name == "schema" { // what follows is what that consists of
					break
				}
				f.out = append(t.AppendJSON(f.out, d), ':')
				f.object(d+1, name, false)
				f.put(",")
			}
			f.end("},")
			continue
		}
		f.out = append(t.AppendJSON(f.out, k), ':')
		f.value(v, keyword == "properties" && !names)
		f.put(",")
	}
	f.end("}")
}

func (f *former) value(n jsontape.Node, names bool) {
	switch t := f.tape; t.Kind(n) {
	case jsontape.Object:
		f.object(n, "", names)
	case jsontape.Array:
		f.put("[")
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			f.value(e, false)
			f.put(",")
		}
		f.end("]")
	default:
		f.out = t.AppendJSON(f.out, n)
	}
}

func (f *former) end(bracket string) {
	f.out = append([]byte(strings.TrimSuffix(string(f.out), ",")), bracket...)
}

// What editors check is what Parse checks.
func TestTheFormIsThePublishedSchema(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("policy.schema.json")
	require.NoError(t, err)
	f := former{tape: new(jsontape.Tape)}
	require.NoError(t, f.tape.Parse(text))
	f.object(jsontape.Root, "", false)
	require.NotContains(t, string(f.out), "`")
	source := "package policy\n\n" +
		"//go:generate go test -run TestTheFormIsThePublishedSchema . -write\n\n" +
		"// form is what Parse needs of policy.schema.json.\nconst form = `" + string(f.out) + "`\n"
	if *write {
		require.NoError(t, os.WriteFile("form.go", []byte(source), 0o644))
	}
	have, err := os.ReadFile("form.go")
	require.NoError(t, err)
	require.Equal(t, source, string(have), "run go generate ./hooks/policy")
}
