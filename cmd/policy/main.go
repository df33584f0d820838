// Policy checks policy documents, and says what they would do to a call.
//
//	policy check policy.json ...
//	policy explain -tool checkout -input '{"total": 600}' policy.json ...
//
// The exit code of check is 0 where all documents are right, and 1 where one is not.
// That of explain is 0 where the call would be allowed, 3 where a human would be asked,
// and 4 where it would be denied. It is 2 for what cannot be understood or read.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
)

// The exit codes.
const (
	right   = 0
	wrong   = 1
	unclear = 2
	asks    = 3
	denies  = 4
)

const usage = `Usage:
  policy check FILE...              say what is wrong with policy documents
  policy explain [flags] FILE...    say what they would do to a call
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return unclear
	}
	switch args[0] {
	case "check":
		return check(args[1:], stdout, stderr)
	case "explain":
		return explain(args[1:], stdout, stderr)
	}
	fmt.Fprint(stderr, usage)
	return unclear
}

// parse reads a document, and says what is wrong with it.
func parse(file string, stderr io.Writer) (d *policy.Document, code int) {
	text, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return nil, unclear
	}
	d, err = policy.Parse(text, policy.Options{Label: file, Regexp: re2.Compile})
	var bad *policy.ParseError
	if errors.As(policy.Guess(err), &bad) {
		for _, issue := range bad.Issues {
			fmt.Fprintf(stderr, "%s: %s\n", file, issue)
		}
		return nil, wrong
	}
	return d, right
}

// arguments parses flags and files in any order.
func arguments(flags *flag.FlagSet, args []string) (files []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return files, nil
		}
		files = append(files, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

func check(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("policy check", flag.ContinueOnError)
	flags.SetOutput(stderr)
	files, err := arguments(flags, args)
	if err != nil || len(files) == 0 {
		fmt.Fprint(stderr, usage)
		return unclear
	}
	worst := right
	for _, file := range files {
		_, code := parse(file, stderr)
		if code == right {
			fmt.Fprintln(stdout, file+": ok")
		}
		worst = max(worst, code)
	}
	return worst
}

// hints are the flags of a tool's hints.
var hints = map[string]func(*policy.Tool){
	"readOnly":         func(t *policy.Tool) { t.ReadOnly = true },
	"untrustedContent": func(t *policy.Tool) { t.UntrustedContent = true },
	"consequential":    func(t *policy.Tool) { t.Consequential = true },
	"debugging":        func(t *policy.Tool) { t.Debugging = true },
}

func explain(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("policy explain", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("tool", "", "the `name` of the tool")
	given := flags.String("hints", "", "its hints, as `readOnly,consequential,untrustedContent,debugging`")
	input := flags.String("input", "", "the validated input, in `JSON`; nothing is known of it without")
	user := flags.String("context", "", "what is known of the user, in `JSON`")
	asJSON := flags.Bool("json", false, "write JSON")
	files, err := arguments(flags, args)
	if err != nil {
		return unclear
	}
	fail := func(text string) int {
		fmt.Fprintln(stderr, "policy explain: "+text)
		return unclear
	}
	if *name == "" || len(files) == 0 {
		return fail("it needs -tool and a file")
	}
	tool := policy.Tool{Name: *name}
	for hint := range strings.SplitSeq(*given, ",") {
		if set := hints[hint]; set != nil {
			set(&tool)
		} else if hint != "" {
			return fail("there is no hint " + hint)
		}
	}
	var document *schema.Document
	if *input != "" {
		document = new(schema.Document)
		if err := document.Read([]byte(*input)); err != nil {
			return fail("-input " + err.Error())
		}
	}
	var context *policy.Context
	if *user != "" {
		if context, err = policy.NewContext([]byte(*user)); err != nil {
			return fail("-context " + err.Error())
		}
	}
	var documents []*policy.Document
	worst := right
	for _, file := range files {
		d, code := parse(file, stderr)
		documents, worst = append(documents, d), max(worst, code)
	}
	if worst != right {
		return worst
	}
	e := policy.New(policy.Key{}, documents...).Explain(tool, 0, len(*input), document, context)
	if *asJSON {
		text, err := e.MarshalJSON()
		if err != nil {
			return fail(err.Error())
		}
		fmt.Fprintf(stdout, "%s\n", text)
	} else {
		write(stdout, e)
	}
	switch e.Outcome {
	case "ask":
		return asks
	case "deny":
		return denies
	}
	return right
}

// write writes an explanation for people.
func write(w io.Writer, e *policy.Explanation) {
	outcomes := map[string]string{"allow": "allowed", "ask": "allowed if a human approves", "deny": "denied"}
	fmt.Fprintf(w, "%s: %s\n", e.Tool, outcomes[e.Outcome])
	if f := e.Refusal; f != nil {
		fmt.Fprintf(w, "  %s: %s%s\n", f.Code, f.Message, by(f.Rule))
	}
	for _, r := range e.Rules {
		state := "applies"
		if !r.Applies {
			state = "does not apply"
		}
		if r.Report {
			state += ", only reports"
		}
		fmt.Fprintf(w, "\n%s: %s\n", r.Rule, state)
		for _, condition := range [][2]string{{"when", r.When}, {"unless", r.Unless}} {
			if condition[1] != "" {
				fmt.Fprintf(w, "  %s: %s\n", condition[0], condition[1])
			}
		}
		for _, effect := range r.Effects {
			fmt.Fprintf(w, "  %s\n", effect)
		}
	}
	if len(e.Reports) > 0 {
		fmt.Fprintln(w, "\nWould have been, by rules that only report:")
	}
	for _, f := range e.Reports {
		fmt.Fprintf(w, "  %s%s\n", strings.TrimSpace(f.Effect+" "+f.Code), by(f.Rule))
	}
}

func by(rule string) string {
	if rule == "" {
		return ""
	}
	return " (" + rule + ")"
}
