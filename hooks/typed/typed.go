// Package typed makes handlers of functions that take and return Go types. It
// uses encoding/json, which is large in a page's module: an app that minds takes
// a hooks.Handler instead.
package typed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/internal/handlers"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Handler returns a handler that decodes the input into In, calls f, and
// returns its output as JSON: after hooks see what encoding/json decodes into
// any, and a whole number that JavaScript would round fails the call. An input that does not fit In is an error that
// names the field, and so is a whole number for an integer of Go's that JavaScript may have rounded: it is over 2^53.
// Members that In does not have are left out, as the contract allowed them or a hook has added them; a contract with
// additionalProperties false allows none but its own.
//
// In a page, a tool whose Handler it is decodes the text of the input straight into In. A handler of your own that
// calls it is right, too, and decodes the input twice.
func Handler[In, Out any](f func(ctx context.Context, in In) (Out, error)) hooks.Handler {
	return known(func(ctx context.Context, c *hooks.Call) (any, error) {
		text, err := textOf(c.Input)
		if err != nil {
			return nil, fmt.Errorf("read the input: %w", err)
		}
		var in In
		if err := json.Unmarshal(text, &in); err != nil {
			return nil, fmt.Errorf("read the input: %w", explained(err))
		}
		out, err := f(ctx, in)
		if err != nil {
			return nil, err
		}
		text, err = json.Marshal(out)
		if err != nil {
			return nil, fmt.Errorf("write the output: %w", err)
		}
		return json.RawMessage(text), nil
	})
}

// made has the code of the functions that Handler has returned: those of one
// Handler[In, Out] share it, and no other function has it. They are few.
var made struct {
	sync.RWMutex
	codes []uintptr
}

func codeOf(handler any) uintptr { return reflect.ValueOf(handler).Pointer() }

func known(handler hooks.Handler) hooks.Handler {
	made.Lock()
	defer made.Unlock()
	if code := codeOf(handler); !slices.Contains(made.codes, code) {
		made.codes = append(made.codes, code)
	}
	return handler
}

func init() {
	handlers.ReadsText = func(handler any) bool {
		code := codeOf(handler)
		made.RLock()
		defer made.RUnlock()
		return slices.Contains(made.codes, code)
	}
}

// textOf returns an input as JSON in which each whole number that JavaScript may
// have rounded says so.
func textOf(input any) ([]byte, error) {
	if text, ok := input.(*jsontape.Text); ok {
		return unrounded(text.Raw()), nil
	}
	return json.Marshal(jsontape.Copied(input, func(v any) any {
		if f, ok := v.(float64); ok && math.Abs(f) > maxExact && math.Abs(f) < 1e21 { // from there on it is written with an exponent anyway
			return json.Number(strconv.FormatFloat(f, 'f', 0, 64) + rounded)
		}
		return v
	}))
}

// rounded ends the text of a number that JavaScript may have rounded: it is then
// one that encoding/json decodes into floats only.
const rounded = "e0"

// maxExact is the largest whole number up to which JavaScript has all of them.
const maxExact = 1<<53 - 1

// unrounded returns JSON in which each whole number that may have been rounded
// says so: the text itself, where there is none.
func unrounded(text []byte) []byte {
	const most = "9007199254740991"
	var marked []byte
	copiedTo := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case c >= '0' && c <= '9':
			from := i
			for i < len(text) && text[i] >= '0' && text[i] <= '9' {
				i++
			}
			digits := text[from:i]
			whole := i == len(text) || strings.IndexByte(".eE", text[i]) < 0
			for i < len(text) && strings.IndexByte("+-.eE0123456789", text[i]) >= 0 {
				i++
			}
			if whole && (len(digits) > len(most) || len(digits) == len(most) && string(digits) > most) {
				marked = append(append(marked, text[copiedTo:i]...), rounded...)
				copiedTo = i
			}
			i-- // what follows the number
		}
	}
	if copiedTo == 0 {
		return text
	}
	return append(marked, text[copiedTo:]...)
}

// explained says of an error of json.Unmarshal what was rounded, if that is why.
func explained(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if number, ok := strings.CutSuffix(wrong.Value, rounded); ok {
			return fmt.Errorf("%s: JavaScript may have rounded the %s; use a string", wrong.Field, number)
		}
	}
	return err
}
