package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Result is what a tool has answered.
type Result struct {
	// Output is all of it as JSON, whatever its size.
	Output json.RawMessage

	// The members of an answer in the form of the Model Context Protocol. They
	// are zero where the answer has another form.
	Content    []Content
	IsError    bool
	Code       string
	Structured json.RawMessage // structuredContent; nil when there is none
}

// Content is a part of an answer.
type Content struct {
	Type string // "text", "image", ...
	Text string // of type "text"
	JSON json.RawMessage
}

// UnmarshalJSON reads a part of any type.
func (c *Content) UnmarshalJSON(text []byte) error {
	var known struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(text, &known); err != nil {
		return err
	}
	*c = Content{known.Type, known.Text, append(json.RawMessage(nil), text...)}
	return nil
}

// largeString is the length from which on Chrome hands an output over as a
// string that holds the JSON.
const largeString = 1_000_000

func newResult(output json.RawMessage) *Result {
	var inner string
	if len(output) > largeString && output[0] == '"' && json.Unmarshal(output, &inner) == nil && json.Valid([]byte(inner)) {
		output = json.RawMessage(inner)
	}
	r := &Result{Output: output}
	var answer struct {
		Content    []Content       `json:"content"`
		IsError    bool            `json:"isError"`
		Code       any             `json:"code"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	if json.Unmarshal(output, &answer) == nil && answer.Content != nil {
		r.Content, r.IsError, r.Structured = answer.Content, answer.IsError, answer.Structured
		if answer.Code != nil {
			r.Code = fmt.Sprint(answer.Code)
		}
	}
	return r
}

// Text returns what the answer says: its texts, one a line; of another form a
// string as it is, and anything else as JSON.
func (r *Result) Text() string {
	if r.Content != nil {
		var texts []string
		for _, part := range r.Content {
			if part.Type == "text" {
				texts = append(texts, part.Text)
			}
		}
		return strings.Join(texts, "\n")
	}
	var text string
	if json.Unmarshal(r.Output, &text) == nil {
		return text
	}
	return string(r.Output)
}

// Decode decodes the answer into what v points to: the structured content where
// there is some, otherwise the text as JSON, and in another form all of it. An
// answer that is an error is returned as one.
func (r *Result) Decode(v any) error {
	if r.IsError {
		return errors.New("the tool answers with an error: " + r.Text())
	}
	text := r.Output
	switch {
	case r.Structured != nil:
		text = r.Structured
	case r.Content != nil:
		text = json.RawMessage(r.Text())
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("decode the answer %.200s: %w", text, err)
	}
	return nil
}
