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
func copied(v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = copied(item)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, item := range v {
			object[key] = copied(item)
		}
		return object
	}
	return v
}
