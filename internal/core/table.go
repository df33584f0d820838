//go:build js && wasm

package core

// table gives things numbers that JavaScript can hold. Numbers are used again
// once they are free. The zero table is empty; its first number is 0.
type table[T any] struct {
	items []T
	free  []int32
}

// add returns the number of item from now on.
func (t *table[T]) add(item T) int32 {
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		t.items[i] = item
		return i
	}
	t.items = append(t.items, item)
	return int32(len(t.items) - 1)
}

// get returns the item with number i, or the zero value where there is none.
func (t *table[T]) get(i int32) (item T) {
	if uint32(i) < uint32(len(t.items)) {
		return t.items[i]
	}
	return item
}

// remove frees number i. It must be in use.
func (t *table[T]) remove(i int32) {
	var none T
	t.items[i] = none
	t.free = append(t.free, i)
}
