//go:build js && wasm

package bridge

import (
	"bytes"
	"context"
	"errors"
	"syscall/js"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

func init() {
	wake := js.FuncOf(func(js.Value, []js.Value) any { return nil }) // goroutines run before it returns
	core.Glue().Call("attachHost", js.FuncOf(host), wake)
}

// host starts what Go has to do for a call: (call, ticket, phase, index of the
// first hook, length of the text in the buffer). The phase may be core.Handler or
// core.Validator.
func host(_ js.Value, args []js.Value) any {
	w := &work{
		number: args[0].Int(),
		ticket: args[1].Int(),
		phase:  pipeline.Phase(args[2].Int()),
	}
	call := core.CallNumber(int32(w.number))
	if w.phase < pipeline.Phases {
		for _, ref := range call.Hooks(w.phase)[args[3].Int():] {
			hook, ok := ref.Hook.(hooks.Hook)
			if !ok {
				break
			}
			w.hooks = append(w.hooks, hook)
		}
	}
	w.tool, _ = call.Tool().Data.(*hooks.Tool)
	text := core.Text(int32(args[4].Int()))
	ctx, cancel := context.WithCancel(context.Background())
	if w.phase != pipeline.Error && w.phase != pipeline.Denied {
		call.OnAbort(cancel)
	}
	go func() {
		defer cancel()
		aborted := w.read(text)
		if aborted && w.phase != pipeline.Error && w.phase != pipeline.Denied {
			cancel()
		}
		event, count := w.do(ctx)
		w.answer(event, count)
	}()
	return nil
}

// work is a part of a call that Go code does.
type work struct {
	number, ticket int
	phase          pipeline.Phase
	hooks          []hooks.Hook // of that phase, one after the other
	tool           *hooks.Tool  // of Go; nil for a tool of JavaScript

	call     hooks.Call
	input    []byte // as it came: what is not changed does not go back
	output   []byte
	metadata map[string][]byte
}

// do runs the hooks, the validation or the handler.
func (w *work) do(ctx context.Context) (pipeline.Event, int) {
	switch w.phase {
	case core.Handler, core.Validator:
		return w.outcome(hooks.Protect(func() (err error) {
			if w.phase == core.Handler {
				w.call.Output, err = w.tool.Handler(ctx, &w.call)
			} else {
				w.call.Input, err = w.tool.Validate(ctx, w.call.Input)
			}
			return err
		})), 0
	}
	for i, hook := range w.hooks {
		c := w.call
		err := hooks.Protect(func() error { return hook(ctx, &c) })
		switch w.phase {
		case pipeline.Before:
			if err == nil || hooks.AsDenial(err) != nil {
				w.call.Input = c.Input
			}
		case pipeline.After:
			if err == nil {
				w.call.Output = c.Output
			}
		default:
			if err != nil {
				logError(w.phase.String()+" hook of "+w.call.Tool.Name+" failed", err)
			}
			continue
		}
		if event := w.outcome(err); event != pipeline.Done {
			return event, i
		}
	}
	return pipeline.Done, len(w.hooks)
}

// outcome takes the error of a hook, the validation or the handler.
func (w *work) outcome(err error) pipeline.Event {
	if err == nil {
		return pipeline.Done
	}
	if d := hooks.AsDenial(err); d != nil && w.phase == pipeline.Before {
		w.call.Denial = d
		return pipeline.Deny
	}
	if p := (*hooks.PanicError)(nil); errors.As(err, &p) {
		logError("Go code of "+w.call.Tool.Name+" panicked: "+p.Reason()+"\n"+string(p.Stack), err)
	}
	w.call.Err = err
	return pipeline.Fail
}

func logError(what string, err error) {
	js.Global().Get("console").Call("error", "[webmcp] "+what+": "+err.Error())
}

// read takes the values of the call from the text of the glue.
func (w *work) read(text string) (aborted bool) {
	var tape jsontape.Tape
	if err := tape.Parse([]byte(text)); err != nil {
		// JSON.stringify wrote it: only its depth can be wrong.
		w.hooks = []hooks.Hook{func(context.Context, *hooks.Call) error { return err }}
		w.tool = &hooks.Tool{
			Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, err },
			Validate: func(context.Context, any) (any, error) { return nil, err },
		}
		w.call.Metadata = new(hooks.Metadata)
		return false
	}
	all, _ := tape.Value(jsontape.Root).(map[string]any)
	w.call = hooks.Call{
		ID:       textIn(all, "id"),
		Tool:     contractIn(all),
		Input:    all["input"],
		Output:   all["output"],
		Metadata: new(hooks.Metadata),
	}
	if e, ok := all["error"].(map[string]any); ok {
		w.call.Err = &Error{textIn(e, "name"), textIn(e, "message")}
	}
	if d, ok := all["denial"].(map[string]any); ok {
		w.call.Denial = &hooks.Denial{Code: textIn(d, "code"), Message: textIn(d, "message")}
	}
	w.metadata = make(map[string][]byte)
	metadata, _ := all["metadata"].(map[string]any)
	for key, value := range metadata {
		w.call.Metadata.Set(key, value)
		w.metadata[key] = said(value)
	}
	w.input, w.output = said(w.call.Input), said(w.call.Output)
	aborted, _ = all["aborted"].(bool)
	return aborted
}

// answer gives the glue what the hooks made of the call.
func (w *work) answer(event pipeline.Event, count int) {
	if w.ticket == core.NoTicket {
		return
	}
	text, err := w.changes()
	if err != nil && event == pipeline.Done {
		w.call.Err, event = err, pipeline.Fail
		text, err = w.changes()
	}
	if err != nil {
		text = []byte("{}")
	}
	core.Glue().Call("resume", w.number, w.ticket, int(event), count, string(text))
}

// changes returns what is not as it came, as the glue reads it. The error says
// which value JSON cannot say.
func (w *work) changes() ([]byte, error) {
	changes := map[string]any{}
	value := func(v any) map[string]any { return map[string]any{"value": v} }
	if w.call.Err != nil {
		changes["error"] = map[string]any{"name": errorName(w.call.Err), "message": w.call.Err.Error()}
	} else if w.phase == pipeline.Before || w.phase == core.Validator {
		text, err := jsontape.Append(nil, w.call.Input)
		if err != nil {
			return nil, errors.New("the input that Go code set: " + err.Error())
		}
		if !bytes.Equal(text, w.input) {
			changes["input"] = value(w.call.Input)
		}
	} else if w.phase == pipeline.After || w.phase == core.Handler {
		text, err := jsontape.Append(nil, w.call.Output)
		if err != nil {
			return nil, errors.New("the output that Go code set: " + err.Error())
		}
		if w.phase == core.Handler || !bytes.Equal(text, w.output) {
			changes["output"] = value(w.call.Output)
		}
	}
	if d := w.call.Denial; d != nil && w.phase == pipeline.Before {
		changes["denial"] = map[string]any{"code": d.Code, "message": d.Message}
	}
	metadata := map[string]any{}
	for key, v := range w.call.Metadata.All() {
		text := said(v)
		if text != nil && !bytes.Equal(text, w.metadata[key]) {
			metadata[key] = v
		}
	}
	changes["metadata"] = metadata
	return jsontape.Append(nil, changes)
}

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
func said(v any) []byte {
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
