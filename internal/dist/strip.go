package dist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// strip returns a module of Go without what only tracebacks read: the names of
// functions, the names and numbers of lines, and which call was inlined where. It
// is a sixth of the module in brotli, and the linker has no flag for it: -s and -w
// leave it. What the garbage collector and panics read stays, byte by byte, at its
// place. The functions of a stripped module have a few names, for what the runtime
// asks of names at work: whether one begins with "runtime." (a goroutine of its
// own), whether it has the form of a method (panicwrap), and whether it is one of
// package reflect that it scans in another way.
//
// The tables have the form of Go 1.20 to 1.26 at least: see moduledata and _func
// in package runtime. An error says that they have not, or that it is no module
// of Go; then the module can be used as it is.
func strip(module []byte) (stripped []byte, err error) {
	defer func() {
		if e := recover(); e != nil { // out of the bounds of something
			err = fmt.Errorf("%w: %v", errForm, e)
		}
	}()
	if len(module) < 8 || string(module[:4]) != "\x00asm" {
		return nil, errForm
	}
	out := bytes.Clone(module[:8])
	for r := (reader{b: module, at: 8}); r.at < len(r.b); {
		start := r.at
		id := r.byte()
		body := r.bytes(r.unsigned())
		switch id {
		case customSection: // the names of the linker, for nobody
		case dataSection:
			m, err := load(body)
			if err != nil {
				return nil, err
			}
			if err := m.strip(); err != nil {
				return nil, err
			}
			body = m.segments()
			out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
		default:
			out = append(out, module[start:r.at]...)
		}
	}
	return out, nil
}

var errForm = errors.New("the tables of the Go linker have another form than the one that is known")

// Sections of a WebAssembly module.
const (
	customSection = 0
	dataSection   = 11
)

// Parts of the tables of the Go linker.
const (
	magic = "\xf1\xff\xff\xff\x00\x00\x01\x08" // at the start of pcHeader: Go 1.20, pointers of 8 bytes

	headerWords = 9  // of pcHeader
	funcBytes   = 44 // of a _func, before its tables
	inlineBytes = 16 // of an inlinedCall

	bucketBytes = 20 // of a findfuncbucket
	buckets     = 16 // of a function: its addresses are numbered in 16 bits, and a bucket is for 12

	// Which table of a function it is.
	unsafePoint = 0 // PCDATA_UnsafePoint, for signals, which WebAssembly has not
	inlineIndex = 2 // PCDATA_InlTreeIndex
	argsIndex   = 3 // PCDATA_ArgLiveIndex
	inlineTree  = 3 // FUNCDATA_InlTree
	argsInfo    = 5 // FUNCDATA_ArgInfo
	wrapInfo    = 7 // FUNCDATA_WrapInfo, for the tracer; FUNCDATA_ArgLiveInfo is before it

	argsEnd  = 0xff // of an ArgInfo
	mostArgs = 64   // bytes of one, and more

	firstName  = 1          // 0 stands for no name
	mostMemory = 1 << 28    // that a module fills
	mostTables = 16         // of one function; Go has five kinds
	none       = ^uint32(0) // where there is no funcdata

)

// names are those of a stripped module, each with what the names that it stands
// for begin with.
var names = []struct{ prefix, name string }{
	{"runtime.", "runtime.(*stripped).function"},
	{"reflect.makeFuncStub\x00", "reflect.makeFuncStub"},
	{"reflect.methodValueCall\x00", "reflect.methodValueCall"},
	{"", "go.(*stripped).function"},
}

// image is the memory of a module as its data section fills it.
type image struct {
	memory []byte
	start  int // of what is filled

	header    int // pcHeader
	functions int
	names     table
	units     table
	files     table
	tab       table // pctab
	list      int   // the functions themselves
}

// table is a part of the memory, from inclusive to exclusive.
type table struct{ from, to int }

// load reads the data section of a module.
func load(section []byte) (*image, error) {
	r := reader{b: section}
	m := &image{start: 1 << 62}
	for range r.unsigned() {
		if r.byte() != 0 || r.byte() != 0x41 { // of memory 0, at i32.const
			return nil, errForm
		}
		at := r.signed()
		if r.byte() != 0x0b {
			return nil, errForm
		}
		data := r.bytes(r.unsigned())
		if at < 0 || at > mostMemory {
			return nil, errForm
		}
		if grow := at + len(data) - len(m.memory); grow > 0 {
			m.memory = append(m.memory, make([]byte, grow)...)
		}
		copy(m.memory[at:], data)
		m.start = min(m.start, at)
	}
	m.header = bytes.Index(m.memory, []byte(magic))
	if m.header < 0 {
		return nil, errForm
	}
	word := func(i int) int { return int(m.word(m.header + 8*i)) }
	at := func(i int) int { return m.header + word(i) }
	m.functions = word(1)
	m.names, m.units, m.files = table{at(4), at(5)}, table{at(5), at(6)}, table{at(6), at(7)}
	m.tab, m.list = table{at(7), at(8)}, at(8)
	if m.functions <= 0 || m.functions > len(m.memory)/funcBytes || m.names.from != m.header+8*headerWords || m.names.to-m.names.from < 200 {
		return nil, errForm
	}
	return m, nil
}

func (m *image) word(at int) uint64       { return binary.LittleEndian.Uint64(m.memory[at:]) }
func (m *image) half(at int) uint32       { return binary.LittleEndian.Uint32(m.memory[at:]) }
func (m *image) set(at int, value uint32) { binary.LittleEndian.PutUint32(m.memory[at:], value) }

// function is where one of the functions of a module is described.
type function struct {
	at       int
	pcdata   []int // where the offsets of its tables are
	funcdata []int
}

func (m *image) all() (all []function) {
	for i := range m.functions {
		f := function{at: m.list + int(m.half(m.list+8*i+4))}
		next := f.at + funcBytes
		if m.half(f.at+28) > mostTables {
			panic("a function with too many tables")
		}
		for range m.half(f.at + 28) {
			f.pcdata = append(f.pcdata, next)
			next += 4
		}
		for range m.memory[f.at+43] {
			f.funcdata = append(f.funcdata, next)
			next += 4
		}
		all = append(all, f)
	}
	return all
}

// strip clears what only tracebacks read.
func (m *image) strip() error {
	functions := m.all()
	needless, err := m.needless(functions)
	if err != nil {
		return err
	}
	needed := make([]bool, m.tab.to-m.tab.from)
	for _, f := range functions {
		m.walk(m.half(f.at+16), needed, nil) // pcsp: how large the frame is
		for i, at := range f.pcdata {
			if i == unsafePoint || i == inlineIndex || i == argsIndex {
				m.set(at, 0)
				continue
			}
			m.walk(m.half(at), needed, nil)
		}
		m.set(f.at+4, uint32(stands(m.memory[m.names.from+int(m.half(f.at+4)):m.names.to])))
		m.set(f.at+20, 0) // pcfile
		m.set(f.at+24, 0) // pcln
		m.set(f.at+32, 0) // cuOffset
		m.set(f.at+36, 0) // startLine
		for i, at := range f.funcdata {
			if i == inlineTree || i >= argsInfo && i <= wrapInfo {
				m.set(at, none)
			}
		}
	}
	if err := m.thin(); err != nil {
		return err
	}
	for i, isNeeded := range needed {
		if !isNeeded {
			m.memory[m.tab.from+i] = 0
		}
	}
	for _, part := range append(needless, m.names, m.units, m.files) {
		clear(m.memory[part.from:part.to])
	}
	at := m.names.from + firstName
	for _, n := range names {
		at += copy(m.memory[at:], n.name) + 1
	}
	return nil
}

// stands returns the offset of the name that stands for one in a stripped module.
func stands(name []byte) (offset int) {
	offset = firstName
	for _, n := range names {
		if bytes.HasPrefix(name, []byte(n.prefix)) {
			break
		}
		offset += len(n.name) + 1
	}
	return offset
}

// needless returns where it says which calls were inlined, and where arguments are to
// be found. Each of the inlining trees lies behind an address that moduledata has, and
// must look like one.
func (m *image) needless(functions []function) ([]table, error) {
	type tree struct{ offset, calls int }
	var trees []tree
	for _, f := range functions {
		if len(f.pcdata) <= inlineIndex || len(f.funcdata) <= inlineTree || m.half(f.funcdata[inlineTree]) == none {
			continue
		}
		calls := 0
		m.walk(m.half(f.pcdata[inlineIndex]), nil, func(value int) { calls = max(calls, value+1) })
		trees = append(trees, tree{int(m.half(f.funcdata[inlineTree])), calls})
	}
	looksRight := func(base int) (places []table) {
		for _, t := range trees {
			place := table{base + t.offset, base + t.offset + inlineBytes*t.calls}
			if place.from < m.start || place.to > len(m.memory) {
				return nil
			}
			for at := place.from; at < place.to; at += inlineBytes {
				if name := int(m.half(at + 4)); m.half(at)>>8 != 0 || name == 0 || name >= m.names.to-m.names.from || m.memory[m.names.from+name-1] != 0 {
					return nil
				}
			}
			places = append(places, place)
		}
		return places
	}

	for _, address := range m.moduledata() {
		places := looksRight(address)
		if places == nil || len(trees) == 0 {
			continue
		}
		for _, f := range functions {
			if len(f.funcdata) <= argsInfo || m.half(f.funcdata[argsInfo]) == none {
				continue
			}
			from := address + int(m.half(f.funcdata[argsInfo]))
			size := bytes.IndexByte(m.memory[from:from+mostArgs], argsEnd)
			if size < 0 {
				return nil, errForm
			}
			places = append(places, table{from, from + size + 1})
		}
		return places, nil
	}
	return nil, errForm
}

// moduledata returns the words of moduledata, which begins with the address of
// pcHeader and that of the names.
func (m *image) moduledata() (words []int) {
	begin := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(m.header)), uint64(m.names.from))
	if at := bytes.Index(m.memory, begin); at >= 0 {
		for i := range 64 {
			words = append(words, int(m.word(at+8*i)))
		}
	}
	return words
}

// thin clears the table that finds the function of an address, but for the first
// bucket of each function: findfunc looks there with the number of the function
// alone. A toolchain whose findfunc looked into the others, too, would find 0 there,
// from which it goes on to the function that it looks for, slowly.
func (m *image) thin() error {
	looksRight := func(base int) bool {
		for i := range m.functions {
			at := base + i*buckets*bucketBytes
			if at < m.start || at+bucketBytes > len(m.memory) || int(m.half(at)) != i {
				return false
			}
		}
		return true
	}
	for _, base := range m.moduledata() {
		if base > 0 && base < len(m.memory) && looksRight(base) {
			for i := range m.functions - 1 {
				clear(m.memory[base+(i*buckets+1)*bucketBytes : base+(i+1)*buckets*bucketBytes])
			}
			return nil
		}
	}
	return errForm
}

// walk goes through a table of pctab, in which a value is told for ranges of
// addresses by its differences, up to its end, which is a difference of 0 that is
// not the first. needed is marked, see told each value.
func (m *image) walk(offset uint32, needed []bool, see func(value int)) {
	if offset == 0 {
		return
	}
	r := reader{b: m.memory[:m.tab.to], at: m.tab.from + int(offset)}
	start := r.at
	for value := -1; ; {
		first := r.at == start
		difference := r.unsigned()
		if difference == 0 && !first {
			break
		}
		r.unsigned() // how far it goes
		value += difference>>1 ^ -(difference & 1)
		if see != nil {
			see(value)
		}
	}
	if needed != nil {
		for at := start; at < r.at; at++ {
			needed[at-m.tab.from] = true
		}
	}
}

// gap is how many zeros in a row make the end of a segment. Zeros compress better
// than the numbers at which segments begin.
const gap = 64

// segments returns the data section: what is not zero.
func (m *image) segments() []byte {
	var body []byte
	count := 0
	for at := m.start; at < len(m.memory); {
		if m.memory[at] == 0 {
			at++
			continue
		}
		end := len(m.memory)
		if i := bytes.Index(m.memory[at:], make([]byte, gap)); i >= 0 {
			end = at + i
		}
		end = at + len(bytes.TrimRight(m.memory[at:end], "\x00"))
		body = append(body, 0, 0x41)
		body = appendSigned(body, at)
		body = append(body, 0x0b)
		body = append(binary.AppendUvarint(body, uint64(end-at)), m.memory[at:end]...)
		at = end
		count++
	}
	return append(binary.AppendUvarint(nil, uint64(count)), body...)
}

// reader reads numbers in LEB128, as WebAssembly and the Go linker write them.
type reader struct {
	b  []byte
	at int
}

func (r *reader) byte() byte {
	r.at++
	return r.b[r.at-1]
}

func (r *reader) bytes(n int) []byte {
	r.at += n
	return r.b[r.at-n : r.at : len(r.b)]
}

func (r *reader) unsigned() int {
	n, size := binary.Uvarint(r.b[r.at:])
	if size <= 0 {
		panic("a number that does not end")
	}
	r.at += size
	return int(n)
}

func (r *reader) signed() int {
	n := 0
	for shift := uint(0); ; shift += 7 {
		b := r.byte()
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				n -= 1 << (shift + 7)
			}
			return n
		}
	}
}

func appendSigned(b []byte, n int) []byte {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}
