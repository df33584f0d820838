package jsontape

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// marshaler is encoding/json's Marshaler: what a type with its own JSON form implements.
type marshaler interface {
	MarshalJSON() ([]byte, error)
}

// Append appends v as compact JSON and returns the extended buffer. v may be made of nil, bool, string, every integer
// and float type, []any, []string, []map[string]any, map[string]any, map[string]string, and anything with a
// MarshalJSON method. Nil slices and maps are null, as in encoding/json. Members are sorted by name, invalid UTF-8 is
// written as U+FFFD.
//
// Everything else is an *EncodeError that says where it is and what to return instead: NaN and infinities, other
// types, a MarshalJSON that fails. A value that contains itself, or nests deeper than MaxDepth, is ErrTooDeep. The
// returned buffer is then dst as it was.
func Append(dst []byte, v any) ([]byte, error) {
	out, err := appendValue(dst, v, 0)
	if err != nil {
		return dst, err
	}
	return out, nil
}

func appendValue(dst []byte, v any, depth int) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return AppendString(dst, v), nil
	case float64:
		return appendFloat(dst, v, 64)
	case float32:
		return appendFloat(dst, float64(v), 32)
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int8:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int16:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int32:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint8:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint16:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint32:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case uintptr:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case []any:
		return appendSlice(dst, v, depth)
	case []string:
		return appendSlice(dst, v, depth)
	case []map[string]any:
		return appendSlice(dst, v, depth)
	case map[string]any:
		return appendMap(dst, v, depth)
	case map[string]string:
		return appendMap(dst, v, depth)
	case marshaler:
		return appendMarshaler(dst, v, depth)
	}
	return nil, &EncodeError{Message: "its Go type has no JSON form here; use nil, bool, string, a number, []any, []string, " +
		"map[string]any, map[string]string, or a type with MarshalJSON (json.RawMessage(text) wraps JSON made elsewhere)"}
}

func appendSlice[T any](dst []byte, list []T, depth int) ([]byte, error) {
	if list == nil {
		return append(dst, "null"...), nil
	}
	if depth == MaxDepth {
		return nil, ErrTooDeep
	}
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, v, depth+1); err != nil {
			return nil, within("["+strconv.Itoa(i)+"]", err)
		}
	}
	return append(dst, ']'), nil
}

func appendMap[T any](dst []byte, object map[string]T, depth int) ([]byte, error) {
	if object == nil {
		return append(dst, "null"...), nil
	}
	if depth == MaxDepth {
		return nil, ErrTooDeep
	}
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, name), ':')
		var err error
		if dst, err = appendValue(dst, object[name], depth+1); err != nil {
			return nil, within(name, err)
		}
	}
	return append(dst, '}'), nil
}

// within adds the outer part of the path to err.
func within(outer string, err error) error {
	if e, ok := err.(*EncodeError); ok {
		if e.Path != "" && !strings.HasPrefix(e.Path, "[") {
			outer += "."
		}
		e.Path = outer + e.Path
	}
	return err
}

// appendMarshaler checks what MarshalJSON returned as any other text, and compacts it.
func appendMarshaler(dst []byte, v marshaler, depth int) ([]byte, error) {
	text, err := v.MarshalJSON()
	if err != nil {
		return nil, &EncodeError{Message: "MarshalJSON failed: " + err.Error(), Err: err}
	}
	var t Tape
	t.open = make([]Node, 0, 8)
	if err := t.Parse(text); err != nil {
		if err == ErrTooDeep {
			return nil, err
		}
		return nil, &EncodeError{Message: "MarshalJSON returned " + err.Error(), Err: err}
	}
	if t.depth(Root)+depth > MaxDepth {
		return nil, ErrTooDeep
	}
	return t.AppendJSON(dst, Root), nil
}

func (t *Tape) depth(n Node) int {
	deepest := 0
	switch t.Kind(n) {
	case Array:
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			deepest = max(deepest, t.depth(e))
		}
	case Object:
		for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
			deepest = max(deepest, t.depth(k+1))
		}
	default:
		return 0
	}
	return 1 + deepest
}

// AppendJSON appends n as compact JSON: numbers as they were written, members in their order, strings with only the
// escapes that they need.
func (t *Tape) AppendJSON(dst []byte, n Node) []byte {
	switch t.Kind(n) {
	case String:
		if t.Plain(n) {
			return append(dst, t.Raw(n)...)
		}
		return AppendString(dst, t.Str(n))
	case Array:
		dst = append(dst, '[')
		first, end := t.Children(n)
		for e := first; e < end; e = t.Next(e) {
			if e != first {
				dst = append(dst, ',')
			}
			dst = t.AppendJSON(dst, e)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		first, end := t.Children(n)
		for k := first; k < end; k = t.Next(k + 1) {
			if k != first {
				dst = append(dst, ',')
			}
			dst = append(t.AppendJSON(dst, k), ':')
			dst = t.AppendJSON(dst, k+1)
		}
		return append(dst, '}')
	}
	return append(dst, t.Raw(n)...)
}

// appendFloat writes a float as JavaScript does, except that negative zero stays -0.
func appendFloat(dst []byte, f float64, size int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, &EncodeError{Message: "JSON has no " + strconv.FormatFloat(f, 'g', -1, 64) + "; use nil or a finite number"}
	}
	format := byte('f')
	small, large := math.Abs(f) < 1e-6, math.Abs(f) >= 1e21
	if size == 32 {
		small, large = float32(math.Abs(f)) < 1e-6, float32(math.Abs(f)) >= 1e21
	}
	if f != 0 && (small || large) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, size)
	if n := len(dst); format == 'e' && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' { // 1e-07 is 1e-7
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst, nil
}

// AppendString appends s as a JSON string, quotes included.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			if c < ' ' {
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			} else {
				dst = append(dst, "\ufffd"...)
			}
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}
