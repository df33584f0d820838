package jsontape

// Own is Carry, and shares nothing with v: who has kept v cannot change what it
// returns.
func Own(v any) (any, error) {
	carried, err := Carry(v)
	if err != nil {
		return nil, err
	}
	return copied(carried), nil
}

// copied returns a copy of what Carry has returned.
func copied(v any) any { return Copied(v, nil) }

// Copied returns a copy of a value that is made of nil, bool, float64, string, []any and map[string]any. Where leaf is
// not nil, the copy has what it returns for all that is no list and no object.
func Copied(v any, leaf func(any) any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = Copied(item, leaf)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, item := range v {
			object[key] = Copied(item, leaf)
		}
		return object
	}
	if leaf == nil {
		return v
	}
	return leaf(v)
}
