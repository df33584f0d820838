package jsontape

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// Carry returns v as JSON carries it between Go and JavaScript: made of nil, bool, float64, string, []any and
// map[string]any, as encoding/json decodes into any. A nil slice or map is nil, negative zero is zero, invalid UTF-8 is
// U+FFFD. What is in that form already is returned as it is, not copied. Where Append refuses v, so does Carry, with
// the same error; and it refuses whole numbers that JavaScript would round.
func Carry(v any) (any, error) {
	carried, _, err := carry(v, 0)
	return carried, err
}

// maxExact is the largest whole number up to which JavaScript has all of them: Number.MAX_SAFE_INTEGER.
const maxExact = 1<<53 - 1

// carry also reports whether it returns anything but v.
func carry(v any, depth int) (carried any, changed bool, err error) {
	switch v := v.(type) {
	case nil, bool:
		return v, false, nil
	case string:
		if utf8.ValidString(v) {
			return v, false, nil
		}
		return string([]rune(v)), true, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			_, err := appendFloat(nil, v, 64)
			return nil, false, err
		}
		if v == 0 && math.Signbit(v) {
			return 0.0, true, nil
		}
		return v, false, nil
	case int:
		return carryInt(int64(v))
	case int64:
		return carryInt(v)
	case uint:
		return carryUint(uint64(v))
	case uint64:
		return carryUint(v)
	case []any:
		return carryList(v, depth)
	case map[string]any:
		return carryObject(v, depth)
	}
	// All else is rare: it goes through its text.
	text, err := appendValue(nil, v, depth)
	if err != nil {
		return nil, false, err
	}
	var t Tape
	if err := t.Parse(text); err != nil {
		return nil, false, err
	}
	if err := t.exact(Root); err != nil {
		return nil, false, err
	}
	return t.Value(Root), true, nil
}

// appendCarried appends what Carry returns for v, as Append does, and returns the error of one of them.
func appendCarried(dst []byte, v any, depth int) ([]byte, error) {
	switch v := v.(type) {
	case nil, bool, string:
		return appendValue(dst, v, depth)
	case float64:
		if v == 0 {
			v = 0 // also for negative zero
		}
		return appendFloat(dst, v, 64)
	case []any:
		return appendSlice(dst, v == nil, len(v), func(i int) any { return v[i] }, depth, appendCarried)
	case map[string]any:
		return appendMap(dst, v, depth, appendCarried)
	}
	carried, _, err := carry(v, depth)
	if err != nil {
		return nil, err
	}
	return appendValue(dst, carried, depth)
}

func carryInt(v int64) (any, bool, error) {
	if v < -maxExact || v > maxExact {
		return nil, false, inexact(strconv.FormatInt(v, 10))
	}
	return float64(v), true, nil
}

func carryUint(v uint64) (any, bool, error) {
	if v > maxExact {
		return nil, false, inexact(strconv.FormatUint(v, 10))
	}
	return float64(v), true, nil
}

func inexact(number string) error {
	return &EncodeError{Message: "JavaScript would round " + number + "; use a string"}
}

func carryList(list []any, depth int) (any, bool, error) {
	if list == nil {
		return nil, true, nil
	}
	if depth == MaxDepth {
		return nil, false, ErrTooDeep
	}
	made := list
	for i, item := range list {
		carried, changed, err := carry(item, depth+1)
		if err != nil {
			return nil, false, within("["+strconv.Itoa(i)+"]", err)
		}
		if changed && &made[0] == &list[0] {
			made = append([]any(nil), list...)
		}
		if changed {
			made[i] = carried
		}
	}
	return made, len(list) > 0 && &made[0] != &list[0], nil
}

func carryObject(object map[string]any, depth int) (any, bool, error) {
	if object == nil {
		return nil, true, nil
	}
	if depth == MaxDepth {
		return nil, false, ErrTooDeep
	}
	var made map[string]any
	for name, value := range object {
		carried, changed, err := carry(value, depth+1)
		if err != nil {
			return nil, false, within(name, err)
		}
		if !changed && utf8.ValidString(name) {
			continue
		}
		if made == nil {
			made = make(map[string]any, len(object))
			for name, value := range object {
				if utf8.ValidString(name) {
					made[name] = value
				}
			}
		}
		made[string([]rune(name))] = carried
	}
	if made == nil {
		return object, false, nil
	}
	return made, true, nil
}

// exact returns an error where n has a whole number that JavaScript would round.
func (t *Tape) exact(n Node) error {
	switch t.Kind(n) {
	case Number:
		const most = len("-9007199254740991")
		raw := string(t.Raw(n))
		digits := len(raw) >= most-1
		for i := 0; digits && i < len(raw); i++ {
			digits = raw[i] >= '0' && raw[i] <= '9' || raw[i] == '-'
		}
		if digits && (len(raw) > most || math.Abs(t.Float(n)) > maxExact) {
			return inexact(raw)
		}
	case Array:
		i := 0
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			if err := t.exact(e); err != nil {
				return within("["+strconv.Itoa(i)+"]", err)
			}
			i++
		}
	case Object:
		for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
			if err := t.exact(k + 1); err != nil {
				return within(t.Str(k), err)
			}
		}
	}
	return nil
}
