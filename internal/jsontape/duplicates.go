package jsontape

// duplicates finds members of an object that a later member of the same name replaces, and takes them off the tape.
// Texts from JSON.stringify never have any, so what matters is to find that out fast.
type duplicates struct {
	round uint32            // counts the objects looked at
	slots [256]uint32       // by hash of a name: the round in which it was last met
	seen  map[string]uint32 // by name: the last member, for large objects and those that may have duplicates
	drop  []bool            // by member: whether it is replaced by a later one
}

// remove removes the replaced members of the object that begins at top and ends the tape, and returns the new end.
func (d *duplicates) remove(src []byte, nodes []node, top Node) int {
	if !d.maybe(src, nodes, top) {
		return len(nodes)
	}
	return d.removeFound(src, nodes, top)
}

// maybe reports whether two names could be equal. False is certain.
func (d *duplicates) maybe(src []byte, nodes []node, top Node) bool {
	if d.round++; d.round == 0 {
		d.slots, d.round = [256]uint32{}, 1
	}
	count := 0
	for k := int(top) + 1; k < len(nodes); k += 1 + int(nodes[k+1].size) {
		nd := &nodes[k]
		if count++; count > 32 || nd.meta&escaped != 0 {
			return true
		}
		h := nd.end - nd.start
		if text := src[nd.start:nd.end]; len(text) >= 4 {
			tail := text[len(text)-4:]
			h += uint32(text[0])<<8 + uint32(text[1])<<16 + uint32(text[2])<<24
			h ^= uint32(tail[0]) | uint32(tail[1])<<8 | uint32(tail[2])<<16 | uint32(tail[3])<<24
		} else {
			for _, c := range text {
				h = h<<8 + uint32(c)
			}
		}
		slot := &d.slots[h*0x9e3779b1>>24]
		if *slot == d.round {
			return true
		}
		*slot = d.round
	}
	return false
}

func (d *duplicates) removeFound(src []byte, nodes []node, top Node) int {
	if d.seen == nil {
		d.seen = make(map[string]uint32)
	}
	clear(d.seen)
	d.drop = d.drop[:0]
	text := string(src[nodes[top].start:nodes[top].end]) // one copy, of which the names are slices
	base, dropped := nodes[top].start, false
	for k := int(top) + 1; k < len(nodes); k += 1 + int(nodes[k+1].size) {
		nd := &nodes[k]
		name := text[nd.start-base : nd.end-base]
		if nd.meta&escaped != 0 {
			name = string(appendUnescaped(nil, []byte(name)))
		}
		if earlier, ok := d.seen[name]; ok {
			d.drop[earlier] = true
			dropped = true
		}
		d.seen[name] = uint32(len(d.drop))
		d.drop = append(d.drop, false)
	}
	if !dropped {
		return len(nodes)
	}
	to := int(top) + 1
	for from, member := to, 0; from < len(nodes); member++ {
		size := 1 + int(nodes[from+1].size)
		if !d.drop[member] {
			to += copy(nodes[to:], nodes[from:from+size])
		}
		from += size
	}
	return to
}
