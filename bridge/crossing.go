//go:build js && wasm

package bridge

import (
	"bytes"
	"context"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// What crosses between the glue and Go: each side sends the other what that does
// not have yet.

// memory is what Go keeps of a call from one work to the next.
type memory struct {
	id            string
	input, output *jsontape.Text // that the glue has sent last: it sends none that is the same
	metadata      hooks.Metadata
	said          map[string][]byte // the metadata that JavaScript has, as JSON
	err           error             // the failure of Go code that the glue was told of
}

// memoryOf returns what Go keeps of a call.
func memoryOf(of *core.Call) *memory {
	m, _ := of.Data().(*memory)
	if m == nil {
		m = new(memory)
		of.SetData(m)
	}
	return m
}

// webmcp_keep has Go keep what webmcp_validate has just found valid, as the input of a
// call. The answer is 0 where Go does not have it any more.
//
//go:wasmexport webmcp_keep
func webmcpKeep(number int32) int32 {
	input := core.TakeValid()
	if input == nil {
		return 0
	}
	memoryOf(core.CallNumber(number)).input = input
	return 1
}

// sent is what the glue has sent: an object with what Go does not have yet. That
// is the id; the contract, of a tool of JavaScript; input, output and metadata;
// why the call failed, or was denied.
type sent struct{ tape *jsontape.Tape }

// reader is where that is parsed.
var reader jsontape.Tape

// has reports whether there is a member of that name.
func (s *sent) has(name string) bool {
	_, ok := s.tape.Member(jsontape.Root, name)
	return ok
}

// text returns a member as it is, which then stays as it is; nil where there is none.
func (s *sent) text(name string) *jsontape.Text {
	n, ok := s.tape.Member(jsontape.Root, name)
	if !ok {
		return nil
	}
	if s.tape == &reader {
		s.tape = reader.TakeAll()
	}
	return s.tape.Part(n)
}

// object returns a member as a Go value, or nil where there is none.
func (s *sent) object(name string) map[string]any {
	n, ok := s.tape.Member(jsontape.Root, name)
	if !ok {
		return nil
	}
	object, _ := s.tape.Value(n).(map[string]any)
	return object
}

// read takes the values of the call from what the glue has sent. Where that cannot
// be read, what there is to do is to fail.
func (w *work) read(text []byte) (aborted bool, err error) {
	m := w.memory
	if err = reader.Parse(text); err != nil {
		// JSON.stringify wrote it: only its depth and how much there is can be wrong.
		w.call = hooks.Call{ID: m.id, Tool: w.contract(nil), Metadata: &m.metadata}
		hooks.GiveTexts(&w.call, nil, nil)
		w.hooks = []core.Ref{{Hook: hooks.Hook(func(context.Context, *hooks.Call) error { return err })}}
		w.unread = err
		return false, err
	}
	s := sent{&reader}
	if id, ok := s.tape.Member(jsontape.Root, "id"); ok {
		m.id = s.tape.Str(id)
	}
	if input := s.text("input"); input != nil {
		m.input = input
	}
	w.input = m.input
	if output := s.text("output"); output != nil {
		m.output = output
	}
	if w.phase == pipeline.After {
		w.output = m.output
	}
	if metadata := s.object("metadata"); metadata != nil {
		m.take(metadata)
	}
	w.call = hooks.Call{ID: m.id, Tool: w.contract(s.object("tool")), Metadata: &m.metadata}
	hooks.GiveTexts(&w.call, w.input, w.output)
	if e := s.object("error"); e != nil {
		w.call.Err = w.errorIn(e)
		if message := s.text("message"); message != nil {
			w.message, _ = message.Value().(string)
		}
		hooks.TellErrorHooks(&w.call, w.message, func() { core.Glue().Call("readsMessage", w.number, w.ticket) })
	}
	if d := s.object("denial"); d != nil {
		w.call.Denial = &hooks.Denial{Code: textIn(d, "code"), Message: textIn(d, "message"), Rule: textIn(d, "rule")}
	}
	w.call.Approval = decidedIn(m.metadata.Get("approval"))
	return s.has("aborted"), nil
}

// decidedIn reads what was decided about a call, which the glue leaves in its metadata;
// nil where nobody has.
func decidedIn(approval any) *hooks.Decided {
	m, _ := approval.(map[string]any)
	decision := textIn(m, "decision")
	if decision != "approve" && decision != "deny" {
		return nil
	}
	at, _ := m["at"].(float64)
	waited, _ := m["waited"].(float64)
	edited, _ := m["edited"].(bool)
	return &hooks.Decided{
		Approve: decision == "approve", How: textIn(m, "how"), Edited: edited, Digest: textIn(m, "digest"),
		At: time.UnixMilli(int64(at)), Waited: time.Duration(waited) * time.Millisecond,
	}
}

// contract returns the contract of the tool that is called. The glue tells that of
// a tool of JavaScript before Go needs it.
func (w *work) contract(told map[string]any) hooks.Contract {
	if w.tool != nil {
		return w.tool.Contract
	}
	tool := w.of.Tool()
	if told != nil {
		tool.Data = contractIn(told)
	}
	contract, _ := tool.Data.(hooks.Contract)
	return contract
}

// take sets the metadata that JavaScript has set or removed since Go has seen
// them. What Go has set stays as it is: the JSON of it may say less.
func (m *memory) take(metadata map[string]any) {
	for key, value := range metadata {
		if text := said(value); !bytes.Equal(text, m.said[key]) {
			m.metadata.Set(key, value)
			m.say(key, text)
		}
	}
	for key := range m.said {
		if _, ok := metadata[key]; !ok {
			m.metadata.Delete(key)
			delete(m.said, key)
		}
	}
}

// say takes note of what JavaScript has under a key.
func (m *memory) say(key string, text []byte) {
	if m.said == nil {
		m.said = map[string][]byte{}
	}
	m.said[key] = text
}

// errorIn returns why a call failed as a native driver has it.
func (w *work) errorIn(e map[string]any) error {
	switch kind := textIn(e, "kind"); kind {
	case "go":
		if w.memory.err != nil {
			return w.memory.err
		}
	case "approval":
		failed := &hooks.ApprovalError{Code: textIn(e, "code"), Message: textIn(e, "message")}
		if reason, ok := e["reason"].(map[string]any); ok {
			if failed.Err = w.memory.err; failed.Err == nil {
				failed.Err = &Error{textIn(reason, "name"), textIn(reason, "message")}
			}
		}
		return failed
	case "abort":
		if reason, ok := e["reason"].(map[string]any); ok {
			return &hooks.AbortError{Cause: &Error{textIn(reason, "name"), textIn(reason, "message")}}
		}
		return &hooks.AbortError{Cause: context.Canceled}
	case "timeout":
		limit, _ := e["limit"].(float64)
		return &hooks.TimeoutError{Tool: w.call.Tool.Name, Limit: time.Duration(limit) * time.Millisecond}
	case "input", "output":
		invalid := new(schema.ValidationError)
		issues, _ := e["issues"].([]any)
		for _, issue := range issues {
			m, _ := issue.(map[string]any)
			invalid.Issues = append(invalid.Issues, schema.Issue{Path: textIn(m, "path"), Expected: textIn(m, "message")})
		}
		if kind == "input" {
			return &hooks.InputError{Err: invalid}
		}
		return &hooks.OutputError{Err: invalid}
	}
	return &Error{textIn(e, "name"), textIn(e, "message")}
}

// changes returns what is not as it came, as the glue reads it: nothing where all
// is.
func (w *work) changes(event pipeline.Event) []byte {
	text := []byte{'{'}
	begin := func(name string) {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, '"'), name...), `":`...)
	}
	value := func(name string, now, old *jsontape.Text) {
		if now != old && (old == nil || !now.Same(old)) {
			begin(name)
			text = append(append(append(text, `{"value":`...), now.Raw()...), '}')
		}
	}
	say := func(name string, v any) {
		begin(name)
		text, _ = jsontape.Append(text, v)
	}
	input, output := hooks.TextsOf(&w.call)
	switch {
	case event == pipeline.Fail:
		say("error", map[string]any{"name": errorName(w.call.Err), "message": hooks.ErrorText(w.call.Err)})
	case event == pipeline.Deny:
		say("denial", map[string]any{"code": w.call.Denial.Code, "message": w.call.Denial.Message})
		value("input", input, w.input)
	case w.phase == pipeline.Before, w.phase == core.Validator:
		value("input", input, w.input)
	case w.phase == pipeline.After, w.phase == core.Handler:
		value("output", output, w.output)
	case w.phase >= core.When:
		say("said", w.said)
	case w.phase == pipeline.Error:
		if message := hooks.MessageOf(&w.call); message != w.message {
			say("message", message)
		}
	}
	if metadata, gone := w.memory.give(); len(metadata) > 0 || len(gone) > 0 {
		say("metadata", metadata)
		say("gone", gone)
	}
	if len(text) == 1 {
		return nil
	}
	return append(text, '}')
}

// give returns the metadata that Go has set since JavaScript has seen them, and
// the names of those that it has removed.
func (m *memory) give() (metadata map[string]any, gone []string) {
	all := m.metadata.All()
	for key, value := range all {
		if text := said(value); text != nil && !bytes.Equal(text, m.said[key]) {
			if metadata == nil {
				metadata = map[string]any{}
			}
			metadata[key] = jsonText(text)
			m.say(key, text)
		}
	}
	for key := range m.said {
		if _, ok := all[key]; !ok {
			gone = append(gone, key)
			delete(m.said, key)
		}
	}
	return metadata, gone
}

// jsonText is JSON that is written as it is.
type jsonText []byte

func (t jsonText) MarshalJSON() ([]byte, error) { return t, nil }

// said returns a value as JSON, or nil where JSON cannot say it.
func said(v any) (text []byte) {
	defer func() {
		if recover() != nil { // in a MarshalJSON of the program
			text = nil
		}
	}()
	text, err := jsontape.Append(nil, v)
	if err != nil {
		return nil
	}
	return text
}

func textIn(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// contractIn reads the contract of the tool that is called.
func contractIn(c map[string]any) hooks.Contract {
	a, _ := c["annotations"].(map[string]any)
	hint := func(key string) bool {
		b, _ := a[key].(bool)
		return b
	}
	schema := func(key string) string {
		if c[key] == nil {
			return ""
		}
		return string(said(c[key]))
	}
	return hooks.Contract{
		Name: textIn(c, "name"), Title: textIn(c, "title"), Description: textIn(c, "description"),
		InputSchema: schema("inputSchema"), OutputSchema: schema("outputSchema"),
		Annotations: hooks.Annotations{
			ReadOnlyHint: hint("readOnlyHint"), UntrustedContentHint: hint("untrustedContentHint"),
			ConsequentialHint: hint("consequentialHint"), Debugging: hint("debugging"),
		},
	}
}
