//go:build js && wasm

package bridge

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"syscall/js"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

func init() {
	wake := js.FuncOf(func(js.Value, []js.Value) any { return nil }) // goroutines run before it returns
	core.Glue().Call("attachHost", js.FuncOf(host), wake)
}

// host starts what Go has to do for a call: (call, ticket, phase, index of the
// first hook, length of the text in the buffer, milliseconds that are left of the
// call's time or 0). The phase may be core.Handler or core.Validator.
func host(_ js.Value, args []js.Value) any {
	w := &work{
		number: args[0].Int(),
		ticket: args[1].Int(),
		phase:  pipeline.Phase(args[2].Int()),
	}
	w.of = core.CallNumber(int32(w.number))
	if w.phase < pipeline.Phases {
		for _, ref := range w.of.Hooks(w.phase)[args[3].Int():] {
			hook, ok := ref.Hook.(hooks.Hook)
			if !ok {
				break
			}
			w.hooks = append(w.hooks, hook)
		}
	}
	parent := context.Background()
	if own, ok := w.of.Tool().Data.(*registered); ok {
		w.tool, parent = own.tool, own.values
	}
	w.memory, _ = w.of.Data().(*memory)
	if w.memory == nil {
		w.memory = &memory{metadata: new(hooks.Metadata), said: map[string][]byte{}}
		w.of.SetData(w.memory)
	}
	text := core.Bytes(int32(args[4].Int()))
	ctx, cancel := context.WithCancel(parent)
	if left := args[5].Float(); left > 0 {
		ctx, cancel = context.WithTimeout(parent, time.Duration(left*float64(time.Millisecond)))
	}
	if !w.observes() {
		w.of.OnAbort(cancel)
	}
	go func() {
		if w.read(text) && !w.observes() { // it was aborted already
			cancel()
		}
		w.run(ctx, cancel)
	}()
	return nil
}

// work is a part of a call that Go code does.
type work struct {
	number, ticket int
	phase          pipeline.Phase
	of             *core.Call
	hooks          []hooks.Hook // of that phase, one after the other
	next           int          // of them
	tool           *hooks.Tool  // of Go; nil for a tool of JavaScript
	memory         *memory

	call    hooks.Call
	input   []byte // as it came: what is not changed does not go back
	output  []byte
	message string
}

// memory is what Go keeps of a call from one work to the next, for what has no
// JSON form.
type memory struct {
	metadata *hooks.Metadata
	said     map[string][]byte // the metadata that JavaScript has, as JSON
	err      error             // the failure of Go code that the glue was told of
}

func (w *work) observes() bool { return w.phase == pipeline.Error || w.phase == pipeline.Denied }

// run does the work and answers the glue. Code that ends its goroutine ends this
// one: that is a failure like a panic, and observers go on in another goroutine.
func (w *work) run(ctx context.Context, end func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if w.phase == pipeline.Error {
			hooks.ConcealMessage(&w.call)
		}
		if event := w.outcome(hooks.ErrGoexit); event == pipeline.Fail {
			w.answer(ctx, event)
			end()
			return
		}
		w.next++
		go w.run(ctx, end)
	}()
	event := w.do(ctx)
	returned = true
	w.answer(ctx, event)
	end()
}

// do runs the hooks that are left, the validation or the handler.
func (w *work) do(ctx context.Context) pipeline.Event {
	switch w.phase {
	case core.Handler:
		return w.outcome(hooks.ApplyHandler(ctx, w.tool, &w.call))
	case core.Validator:
		return w.outcome(hooks.ApplyValidate(ctx, w.tool, &w.call))
	}
	for ; w.next < len(w.hooks); w.next++ {
		if w.phase == pipeline.Before && ctx.Err() != nil {
			return pipeline.Abort // nobody waits for it
		}
		if event := w.outcome(hooks.ApplyHook(ctx, w.phase, w.hooks[w.next], &w.call)); event != pipeline.Done {
			return event
		}
	}
	return pipeline.Done
}

// outcome takes the error of a hook, the validation or the handler. An observer
// that failed is done.
func (w *work) outcome(err error) pipeline.Event {
	if err == nil {
		return pipeline.Done
	}
	if w.observes() {
		logError(w.phase.String()+" hook of "+w.call.Tool.Name+" failed", err)
		return pipeline.Done
	}
	if w.phase == pipeline.Before && hooks.AsDenial(err) != nil {
		return pipeline.Deny
	}
	if p := (*hooks.PanicError)(nil); errors.As(err, &p) {
		logError("Go code of "+w.call.Tool.Name+" panicked: "+p.Reason()+"\n"+string(p.Stack), err)
	}
	w.call.Err = err
	return pipeline.Fail
}

func logError(what string, err error) {
	core.Glue().Call("log", "[webmcp] "+what+": "+hooks.ErrorText(err))
}

// read takes the values of the call from the text of the glue.
func (w *work) read(text []byte) (aborted bool) {
	var tape jsontape.Tape
	if err := tape.Parse(text); err != nil {
		// JSON.stringify wrote it: only its depth and how much there is can be wrong.
		w.hooks = []hooks.Hook{func(context.Context, *hooks.Call) error { return err }}
		w.tool = &hooks.Tool{
			Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, err },
			Validate: func(context.Context, any) (any, error) { return nil, err },
		}
		w.call.Metadata = w.memory.metadata
		return false
	}
	all, _ := tape.Value(jsontape.Root).(map[string]any)
	w.call = hooks.Call{
		ID:       textIn(all, "id"),
		Tool:     contractIn(all),
		Input:    all["input"],
		Output:   all["output"],
		Metadata: w.memory.metadata,
	}
	if e, ok := all["error"].(map[string]any); ok {
		w.call.Err = w.errorIn(e)
		w.message = textIn(all, "message")
		hooks.TellErrorHooks(&w.call, w.message, func() { core.Glue().Call("readsMessage", w.number, w.ticket) })
	}
	if d, ok := all["denial"].(map[string]any); ok {
		w.call.Denial = &hooks.Denial{Code: textIn(d, "code"), Message: textIn(d, "message")}
	}
	metadata, _ := all["metadata"].(map[string]any)
	w.memory.take(metadata)
	w.input, w.output = said(w.call.Input), said(w.call.Output)
	aborted, _ = all["aborted"].(bool)
	return aborted
}

// take sets the metadata that JavaScript has set or removed since Go has seen
// them. What Go has set stays as it is: the JSON of it may say less.
func (m *memory) take(metadata map[string]any) {
	for key, value := range metadata {
		if text := said(value); !bytes.Equal(text, m.said[key]) {
			m.metadata.Set(key, value)
			m.said[key] = text
		}
	}
	for key := range m.said {
		if _, ok := metadata[key]; !ok {
			m.metadata.Delete(key)
			delete(m.said, key)
		}
	}
}

// errorIn returns why a call failed as a native driver has it.
func (w *work) errorIn(e map[string]any) error {
	switch kind := textIn(e, "kind"); kind {
	case "go":
		if w.memory.err != nil {
			return w.memory.err
		}
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

// answer gives the glue what the hooks made of the call.
func (w *work) answer(ctx context.Context, event pipeline.Event) {
	if w.ticket == core.NoTicket {
		return
	}
	late := ctx.Err() == context.DeadlineExceeded // the glue is about to say so
	if late || !w.of.Waits(uint32(w.ticket)) {
		if w.phase == core.Handler && event == pipeline.Done { // an abort keeps nobody from waiting for it
			core.Glue().Call("log", "[webmcp] "+w.call.Tool.Name+": "+texts.Dropped)
		}
		return
	}
	changes, err := w.changes(event)
	if err != nil {
		w.call.Err, event = err, pipeline.Fail
		changes, _ = w.changes(event)
	}
	if event == pipeline.Fail {
		w.memory.err = w.call.Err
	}
	text, err := jsontape.Append(nil, changes)
	if err == nil && len(text) > maxAnswer {
		w.call.Err, event = errTooLarge, pipeline.Fail
		w.memory.err = w.call.Err
		text, err = jsontape.Append(nil, map[string]any{"error": failureOf(w.call.Err)})
	}
	if err != nil { // there is nothing left in it that could be a reason
		text = []byte("{}")
	}
	core.Glue().Call("resume", w.number, w.ticket, int(event), w.next, string(text))
}

// maxAnswer is how long the text for the glue may be, which checks the exact
// limit. A much longer one is more than JavaScript can hold, and reading it would
// end the program.
const maxAnswer = 1 << 26

var errTooLarge = errors.New(texts.OutputTooLarge + " " + strconv.Itoa(maxAnswer) + " bytes or more")

// failureOf returns an error as the glue reads it.
func failureOf(err error) map[string]any {
	return map[string]any{"name": errorName(err), "message": hooks.ErrorText(err)}
}

// changes returns what is not as it came, as the glue reads it. The error says
// which value JSON cannot say.
func (w *work) changes(event pipeline.Event) (map[string]any, error) {
	changes := map[string]any{}
	set := func(what string, v any, old []byte) error {
		text, err := jsontape.Append(nil, v)
		if err != nil {
			return &hooks.ValueError{What: what, Err: err}
		}
		if old == nil || !bytes.Equal(text, old) {
			changes[what] = map[string]any{"value": v}
		}
		return nil
	}
	var err error
	switch {
	case event == pipeline.Fail:
		changes["error"] = failureOf(w.call.Err)
	case event == pipeline.Deny:
		changes["denial"] = map[string]any{"code": w.call.Denial.Code, "message": w.call.Denial.Message}
		_ = set("input", w.call.Input, w.input) // a denial is one with any input
	case w.phase == pipeline.Before, w.phase == core.Validator:
		err = set("input", w.call.Input, w.input)
	case w.phase == pipeline.After:
		err = set("output", w.call.Output, w.output)
	case w.phase == pipeline.Error:
		if text := hooks.MessageOf(&w.call); text != w.message {
			changes["message"] = text
		}
	case w.phase == core.Handler:
		err = set("output", w.call.Output, nil)
	}
	if err == nil {
		changes["metadata"], changes["gone"] = w.memory.give()
	}
	return changes, err
}

// give returns the metadata that Go has set since JavaScript has seen them, and
// the names of those that it has removed.
func (m *memory) give() (metadata map[string]any, gone []string) {
	metadata = map[string]any{}
	all := m.metadata.All()
	for key, value := range all {
		if text := said(value); text != nil && !bytes.Equal(text, m.said[key]) {
			metadata[key] = jsonText(text)
			m.said[key] = text
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

// errorName returns the name that an error has in JavaScript.
func errorName(err error) string {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Name
	}
	if errors.Is(err, context.Canceled) {
		return "AbortError"
	}
	return "Error"
}

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
func contractIn(all map[string]any) hooks.Contract {
	c, _ := all["tool"].(map[string]any)
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
