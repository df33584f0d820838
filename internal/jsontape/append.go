package jsontape

import (
	"math"
	"slices"
	"strconv"
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
		return appendSlice(dst, v == nil, len(v), func(i int) any { return v[i] }, depth, appendValue)
	case []string:
		return appendSlice(dst, v == nil, len(v), func(i int) any { return v[i] }, depth, appendValue)
	case []map[string]any:
		return appendSlice(dst, v == nil, len(v), func(i int) any { return v[i] }, depth, appendValue)
	case map[string]any:
		return appendMap(dst, v, depth, appendValue)
	case map[string]string:
		if v == nil {
			return append(dst, "null"...), nil
		}
		object := make(map[string]any, len(v))
		for name, value := range v {
			object[name] = value
		}
		return appendMap(dst, object, depth, appendValue)
	case marshaler:
		return appendMarshaler(dst, v, depth)
	}
	return nil, &EncodeError{Message: "its Go type has no JSON form here; use nil, bool, string, a number, []any, []string, " +
		"map[string]any, map[string]string, or a type with MarshalJSON (json.RawMessage(text) wraps JSON made elsewhere)"}
}

// appender appends a value that is so deep inside of another one.
type appender func(dst []byte, v any, depth int) ([]byte, error)

func appendSlice(dst []byte, isNil bool, n int, at func(i int) any, depth int, item appender) ([]byte, error) {
	if isNil {
		return append(dst, "null"...), nil
	}
	if depth == MaxDepth {
		return nil, ErrTooDeep
	}
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = item(dst, at(i), depth+1); err != nil {
			return nil, within("["+strconv.Itoa(i)+"]", err)
		}
	}
	return append(dst, ']'), nil
}

func appendMap(dst []byte, object map[string]any, depth int, item appender) ([]byte, error) {
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
		if dst, err = item(dst, object[name], depth+1); err != nil {
			return nil, within(name, err)
		}
	}
	return append(dst, '}'), nil
}

// within adds the outer part of the path to err.
func within(outer string, err error) error {
	if e, ok := err.(*EncodeError); ok {
		if e.Path != "" && e.Path[0] != '[' {
			outer += "."
		}
		e.Path = outer + e.Path
	}
	return err
}

// appendMarshaler checks what MarshalJSON returned as any other text, and compacts it.
func appendMarshaler(dst []byte, v marshaler, depth int) ([]byte, error) {
	t, err := parsed(v)
	if err != nil {
		return nil, err
	}
	if t.depth(Root)+depth > MaxDepth {
		return nil, ErrTooDeep
	}
	return t.AppendJSON(dst, Root), nil
}

// parsed returns a tape of what MarshalJSON returns.
func parsed(v marshaler) (*Tape, error) {
	text, err := v.MarshalJSON()
	if err != nil {
		return nil, &EncodeError{Message: "MarshalJSON failed: " + err.Error(), Err: err}
	}
	t := new(Tape)
	if err := t.Parse(text); err != nil {
		if err == ErrTooDeep {
			return nil, err
		}
		return nil, &EncodeError{Message: "MarshalJSON returned " + err.Error(), Err: err}
	}
	return t, nil
}

// depth returns how deep n nests.
func (t *Tape) depth(n Node) int {
	deepest := 0
	if kind := t.Kind(n); kind == Array || kind == Object {
		for c, end := t.Children(n); c < end; c = t.Next(c) {
			deepest = max(deepest, t.depth(c))
		}
		deepest++
	}
	return deepest
}

// AppendJSON appends n as compact JSON: numbers as they were written, members in their order, strings with only the
// escapes that they need.
func (t *Tape) AppendJSON(dst []byte, n Node) []byte { return t.AppendWith(dst, n, nil) }

// AppendWith is AppendJSON with members added: where more is not nil, it is called for each object, after the object's
// own members, and returns dst with `"name":value,` for each member that it adds.
func (t *Tape) AppendWith(dst []byte, n Node, more func(dst []byte, object Node) []byte) []byte {
	kind := t.Kind(n)
	switch kind {
	case Null, Bool, Number:
		return append(dst, t.Raw(n)...)
	case String:
		if t.Plain(n) {
			return append(dst, t.Raw(n)...)
		}
		return AppendString(dst, t.Str(n))
	}
	brackets, separators := "[]", ",,"
	if kind == Object {
		brackets, separators = "{}", ":,"
	}
	dst = append(dst, brackets[0])
	c, end := t.Children(n)
	for i := 0; c < end; i++ { // a name is a child like any other
		dst = append(t.AppendWith(dst, c, more), separators[i&1])
		c = t.Next(c)
	}
	if kind == Object && more != nil {
		dst = more(dst, n)
	}
	if last := len(dst) - 1; dst[last] == ',' {
		dst = dst[:last]
	}
	return append(dst, brackets[1])
}

// appendFloat writes a float as JavaScript does, except that negative zero stays -0.
func appendFloat(dst []byte, f float64, size int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, &EncodeError{Message: "JSON has no " + strconv.FormatFloat(f, 'g', -1, 64) + "; use nil or a finite number"}
	}
	if i := int64(f); size == 64 && f != 0 && float64(i) == f && i > -maxExact && i < maxExact {
		return strconv.AppendInt(dst, i, 10), nil
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
