package hooks

import (
	"strings"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Result is what an agent gets for a call.
type Result struct {
	Content []Content
	IsError bool   // the call was denied or has failed
	Code    string // of a denial
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
	object := map[string]any{"content": content}
	if r.IsError {
		object["isError"] = true
	}
	if r.Code != "" {
		object["code"] = r.Code
	}
	return jsontape.Append(nil, object)
}

// ResultOf returns what an agent gets for the output of a handler: a Result as
// it is, and so a map that has the form of one; a string as it is; nothing for
// nil; an error's text; anything else as compact JSON. What JSON cannot say
// becomes a text that says so: a result is never lost.
func ResultOf(output any) Result {
	switch v := output.(type) {
	case nil:
		return TextResult("")
	case string:
		return TextResult(v)
	case Result:
		return v
	case *Result:
		if v != nil {
			return *v
		}
		return TextResult("")
	case error:
		return TextResult(v.Error())
	case map[string]any:
		if r, ok := resultOfMap(v); ok {
			return r
		}
	}
	text, err := encode(output)
	if err == nil {
		return TextResult(string(text))
	}
	return TextResult("[unreadable: " + err.Error() + "]")
}

// resultOfMap takes a map for a result when its content is a list of items that
// each have a type.
func resultOfMap(m map[string]any) (r Result, ok bool) {
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
	r.IsError, _ = m["isError"].(bool)
	r.Code, _ = m["code"].(string)
	return r, true
}

func (r *run) result(o pipeline.Outcome) Result {
	if o == pipeline.Succeeded {
		return ResultOf(r.call.Output)
	}
	var refusal Result
	if o == pipeline.WasDenied {
		refusal = TextResult(r.call.Denial.Error())
		refusal.Code = r.call.Denial.Code
	} else {
		refusal = TextResult("Error: " + r.call.Err.Error())
	}
	refusal.IsError = true
	return refusal
}
