package hooks

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// Result is what an agent gets for a call.
type Result struct {
	Content []Content
	IsError bool           // the call was denied or has failed
	Code    string         // of a denial, of a call that was not approved, or of what a policy did not let out; "TIMEOUT" of one that took too long
	More    map[string]any // further members, such as "structuredContent"; may be nil

	// Executed says, of a call that was denied or has failed, whether its handler was
	// called: false means that nothing was done. It is nil in all other results, and in
	// those that a handler has made itself, unless it says so.
	Executed *bool
}

// Content is one item of a result, in the form of the Model Context Protocol:
// it has a "type", and for the type "text" a "text".
type Content = map[string]any

// TextResult returns the result that consists of one text.
func TextResult(text string) Result {
	return Result{Content: []Content{{"type": "text", "text": text}}}
}

// Text returns the text items of the result, joined by line breaks.
func (r Result) Text() string {
	var texts []string
	for _, item := range r.Content {
		if text, ok := item["text"].(string); ok {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// MarshalJSON returns the result as an agent gets it.
func (r Result) MarshalJSON() ([]byte, error) {
	content := make([]any, len(r.Content))
	for i, item := range r.Content {
		content[i] = item
	}
	object := make(map[string]any, len(r.More)+4)
	maps.Copy(object, r.More)
	object["content"] = content
	if r.IsError {
		object["isError"] = true
	}
	if r.Code != "" {
		object["code"] = r.Code
	}
	if r.Executed != nil {
		object["executed"] = *r.Executed
	}
	return jsontape.Append(nil, object)
}

// ResultOf returns what an agent gets for the output of a handler: a Result as
// it is, and so a map that has the form of one; a string as it is; nothing for
// nil; anything else as compact JSON. An error is a failure, and so is what JSON
// cannot say: its text says why.
func ResultOf(output any) Result {
	output, err := unwrapped(output)
	if err != nil {
		return failure(err, true)
	}
	carried, err := jsontape.Own(output)
	if err != nil {
		return failure(unsayable("output", err), true)
	}
	switch v := carried.(type) {
	case nil:
		return TextResult("")
	case string:
		return TextResult(v)
	}
	if r, ok := resultOf(carried); ok {
		return r
	}
	text, err := jsontape.Append(nil, carried)
	if err != nil {
		return failure(err, true)
	}
	return TextResult(string(text))
}

// resultOf takes an output for a result when its content is a list of items that
// each have a type.
func resultOf(output any) (r Result, ok bool) {
	m, _ := output.(map[string]any)
	items, ok := m["content"].([]any)
	if !ok {
		return r, false
	}
	for _, item := range items {
		content, _ := item.(map[string]any)
		kind, typed := content["type"].(string)
		if _, isText := content["text"].(string); !typed || kind == "text" && !isText {
			return Result{}, false
		}
		r.Content = append(r.Content, content)
	}
	for key, value := range m {
		switch v := value.(type) {
		case bool:
			if key == "isError" && v {
				r.IsError = v
				continue
			}
			if key == "executed" {
				r.Executed = &v
				continue
			}
		case string:
			if key == "code" && v != "" {
				r.Code = v
				continue
			}
		}
		if key == "content" {
			continue
		}
		if r.More == nil {
			r.More = make(map[string]any)
		}
		r.More[key] = value
	}
	return r, true
}

// MaxOutputBytes is how large a result may be: the agent has to read all of it. A
// larger one is a failure. In a page, the options of a tool and of webmcp.configure
// may say otherwise.
const MaxOutputBytes = pipeline.MaxOutputBytes

// tooLarge returns an error where a result has more bytes than it may: of a single text
// its bytes, of any other result those of its JSON.
func (r Result) tooLarge(limit int) error {
	size := len(r.Text())
	if size <= limit {
		size = r.size()
	}
	if size <= limit {
		return nil
	}
	return errors.New(texts.OutputTooLarge + " " + strconv.Itoa(size) + " bytes or more, and the limit is " + strconv.Itoa(limit))
}

func (r Result) size() int {
	if len(r.Content) > 1 || r.More != nil {
		text, _ := r.MarshalJSON()
		return len(text)
	}
	return len(r.Text())
}

// failure returns the result of a call that has failed.
func failure(err error, executed bool) Result {
	return refusal(texts.ErrorPrefix+ErrorText(err), executed)
}

// refusal returns the result of a call that was denied or has failed.
func refusal(text string, executed bool) Result {
	r := TextResult(text)
	r.IsError, r.Executed = true, &executed
	return r
}

// copied returns a result that shares nothing with r.
func (r Result) copied() Result {
	content := make([]Content, len(r.Content))
	for i, item := range r.Content {
		content[i], _ = jsontape.Copied(item, nil).(Content)
	}
	r.Content = content
	if r.More != nil {
		r.More, _ = jsontape.Copied(r.More, nil).(map[string]any)
	}
	if r.Executed != nil {
		r.Executed = new(*r.Executed)
	}
	return r
}

// withChange returns a result with what the agent has to know of an input that a human
// has changed.
func (r *run) withChange(result Result) Result {
	if r.changed != "" && r.called {
		result.Content = append(slices.Clone(result.Content), Content{"type": "text", "text": texts.Edited + shorten(r.changed)})
	}
	return result
}

// maxQuote is how many bytes of an input a text for the agent quotes.
const maxQuote = 1_000_000

func shorten(text string) string {
	if len(text) <= maxQuote {
		return text
	}
	cut := strings.ToValidUTF8(text[:maxQuote], "")
	return cut + "… (" + strconv.Itoa(len(text)-len(cut)) + " bytes more)"
}

// settled returns what the agent gets.
func (r *run) settled(o pipeline.Outcome) Result {
	switch o {
	case pipeline.Succeeded:
		return r.answer
	case pipeline.WasDenied:
		denied := refusal(r.call.Denial.Error(), r.called)
		denied.Code = r.call.Denial.Code
		if r.rules.wait > 0 {
			denied.More = map[string]any{"retryAfter": policy.Seconds(r.rules.wait)}
		}
		return denied
	}
	err := r.told()
	if r.call.message != nil {
		err = errors.New(MessageOf(&r.call))
	}
	failed := failure(err, r.called)
	failed.Code = r.code
	if r.late != nil && r.call.Err == error(r.late) {
		failed.Code = texts.TimeoutCode
	}
	return failed
}

// told returns why the call failed, for the agent.
func (r *run) told() error {
	if r.withheld {
		return errWithheld
	}
	return r.call.Err
}

// structured returns the result of an output, with the output itself beside its
// text where it is an object and the contract says what is in it.
func (r *run) structured(result Result) Result {
	output, isObject := r.call.Output.(map[string]any)
	if _, isResult := resultOf(output); isObject && !isResult && r.tool.Contract.OutputSchema != "" {
		result.More = map[string]any{"structuredContent": output}
	}
	return result
}

// errWithheld stands, for the agent, for what failed behind the handler.
var errWithheld = errors.New(texts.Withheld)
