package schema

import (
	"math"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// annotations are the keywords that say something about a value, but nothing about whether it is valid. Those after
// writeOnly are what generators write of their own: zod's id, OpenAPI's and editors' hints.
const annotations = " $schema $comment $vocabulary title description examples deprecated contentMediaType contentEncoding contentSchema " +
	"readOnly writeOnly id example externalDocs xml markdownDescription enumNames enumDescriptions "

// noConditions are the keywords for which Holds has no readings.
const noConditions = " $ref $id $anchor $dynamicAnchor $defs definitions unevaluatedItems unevaluatedProperties "

// unsupported returns what to use instead of a keyword that would change what is valid, and that is not enforced.
func unsupported(keyword string) (instead string) {
	switch keyword {
	case "$dynamicRef", "$recursiveRef", "$recursiveAnchor":
		return "use $ref and $anchor"
	case "nullable":
		return `add "null" to type`
	case "discriminator":
		return "use oneOf with a const in each form"
	}
	return ""
}

// compiler turns the tape of a schema into subschemas.
type compiler struct {
	tape      *jsontape.Tape
	opts      Options
	done      map[jsontape.Node]*subschema
	all       []*subschema // in the order of the document
	resources map[string]*resource
	refs      []reference
	err       *CompileError // the first one; compiling goes on after it, to no effect
	warnings  []string
}

func newCompiler(t *jsontape.Tape, opts Options) *compiler {
	return &compiler{tape: t, opts: opts, done: map[jsontape.Node]*subschema{}, resources: map[string]*resource{}}
}

// document compiles the whole schema.
func (c *compiler) document() *subschema {
	root := c.compile(jsontape.Root, "#", c.addResource("", jsontape.Root, "#"))
	c.resolveRefs()
	c.refuseEndlessRefs()
	for i := 0; i < len(c.all) && !c.opts.Condition; i++ { // where more may be said of a value than its types
		c.all[i].prepare()
	}
	return root
}

// fail is kept out of line, as what else is called from many places and seldom at run time: the size of the code counts.
//
//go:noinline
func (c *compiler) fail(pointer, message string, cause error) {
	if c.err == nil {
		c.err = &CompileError{Pointer: pointer, Message: message, Err: cause}
	}
}

// keyword is a keyword of a schema that is being compiled.
type keyword struct {
	*compiler
	name    string
	value   jsontape.Node
	pointer string    // of value
	base    *resource // that it is part of
}

//go:noinline
func (k *keyword) fail(message string) { k.compiler.fail(k.pointer, k.name+" "+message, nil) }

//go:noinline
func (c *compiler) warn(pointer, message string) {
	c.warnings = append(c.warnings, pointer+": "+message)
}

func (c *compiler) compile(n jsontape.Node, pointer string, base *resource) *subschema {
	if s := c.done[n]; s != nil {
		return s
	}
	s := &subschema{at: n, pointer: pointer}
	c.done[n] = s
	c.all = append(c.all, s)
	t := c.tape
	switch t.Kind(n) {
	case jsontape.Bool:
		s.never = !t.Bool(n)
		return s
	case jsontape.Object:
	default:
		c.fail(pointer, "a schema must be an object or a boolean, not "+shorten(t.Raw(n)), nil)
		return s
	}
	base = c.identify(n, pointer, base)
	for name, end := t.Children(n); name < end; name = t.Next(name + 1) {
		k := &keyword{c, t.Str(name), name + 1, joinPointer(pointer, t.Str(name)), base}
		if c.opts.Condition && strings.Contains(noConditions, " "+k.name+" ") {
			k.fail("is not for conditions: write out what it stands for")
		}
		if !k.compileGeneral(s) && !k.compileSize(s) && !k.compileScalar(s) && !k.compileArray(s) && !k.compileObject(s) {
			k.refuseUnknown()
		}
	}
	s.branches = len(s.allOf)+len(s.anyOf)+len(s.oneOf) > 0 || s.not != nil || s.when != nil
	if o := s.object; o != nil {
		o.simple = len(o.patterns) == 0 && o.names == nil
		if len(o.properties) <= manyProperties {
			o.index = nil
		}
	}
	return s
}

func (k *keyword) refuseUnknown() {
	if strings.Contains(annotations, " "+k.name+" ") || strings.HasPrefix(k.name, "x-") {
		return
	}
	for _, name := range k.opts.Annotations {
		if name == k.name {
			return
		}
	}
	message := ` is no keyword that is enforced here: correct its spelling, or begin it with "x-" if it is an annotation`
	if instead := unsupported(k.name); instead != "" {
		message = " is not supported: " + instead
	}
	k.compiler.fail(k.pointer, k.name+message, ErrUnsupported)
}

// compileGeneral compiles the keywords for values of every type, and reports whether k is one.
func (k *keyword) compileGeneral(s *subschema) bool {
	t := k.tape
	switch k.name {
	case "type":
		s.types = k.types()
	case "const":
		s.isEnum = true
		s.constant = []constant{newConstant(t, k.value)}
	case "enum":
		if t.Kind(k.value) != jsontape.Array {
			k.fail("must be an array")
			return true
		}
		if _, both := t.Member(s.at, "const"); both { // const is the narrower, enum then holds beside it
			s.allOf = append(s.allOf, &subschema{at: s.at, pointer: k.pointer, isEnum: true, constant: k.constants()})
			return true
		}
		s.isEnum = true
		s.constant = k.constants()
	case "allOf":
		s.allOf = append(s.allOf, k.schemas()...)
	case "anyOf":
		s.anyOf = k.schemas()
	case "oneOf":
		s.oneOf = k.schemas()
	case "not":
		s.not = k.schema()
	case "if":
		s.when = k.schema()
	case "then":
		s.then = k.schema()
	case "else":
		s.otherwise = k.schema()
	case "unevaluatedItems":
		s.unevaluated[unevaluatedItems] = k.schema()
	case "unevaluatedProperties":
		s.unevaluated[unevaluatedProperties] = k.schema()
	case "$ref":
		k.refs = append(k.refs, reference{s, k.text(), k.pointer, k.base})
	case "$defs", "definitions":
		k.members(func(_ string, m *keyword) { m.schema() })
	case "default":
		if !k.opts.NoDefaults {
			s.fallback = t.AppendJSON(nil, k.value)
		}
	case "errorMessage":
		if t.Kind(k.value) == jsontape.String { // that of ajv-errors may be an object
			s.says = t.Str(k.value)
		}
	case "$id", "$anchor", "$dynamicAnchor": // seen to by identify
	default:
		return false
	}
	return true
}

// compileSize compiles the keywords that limit how many of something there are.
func (k *keyword) compileSize(s *subschema) bool {
	if len(k.name) < 3 {
		return false
	}
	var limits *size
	switch k.name[3:] {
	case "Length":
		limits = &s.texts().size
	case "Items":
		limits = &s.arrays().size
	case "Contains":
		limits = &s.arrays().wanted
	case "Properties":
		limits = &s.objects().size
	default:
		return false
	}
	switch k.name[:3] {
	case "min":
		limits.min = k.count()
	case "max":
		limits.max = k.count()
	default:
		return false
	}
	return true
}

// compileScalar compiles the keywords for numbers and strings.
func (k *keyword) compileScalar(s *subschema) bool {
	switch k.name {
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		if !k.isNumber() {
			k.fail("must be a number")
			break
		}
		s.numbers().bounds = append(s.number.bounds, newBound(k.name, k.tape.Text(k.value), k.tape.Float(k.value)))
	case "multipleOf":
		if !k.isNumber() || k.tape.Float(k.value) <= 0 {
			k.fail("must be a number over 0")
		} else if s.numbers().multiple = newDivisor(k.tape.Text(k.value)); s.number.multiple == nil {
			k.fail("has more than 18 digits")
		}
	case "pattern":
		s.texts().pattern = k.pattern(k.text())
	case "format":
		k.compileFormat(s)
	default:
		return false
	}
	return true
}

// compileArray compiles the keywords for arrays.
func (k *keyword) compileArray(s *subschema) bool {
	switch k.name {
	case "items":
		if k.tape.Kind(k.value) != jsontape.Array {
			s.arrays().items = k.schema()
			return true
		}
		if _, both := k.tape.Member(s.at, "prefixItems"); both { // draft-07 spells prefixItems and items so
			k.fail("must be a schema where there is prefixItems")
		}
		s.arrays().prefix = k.schemas()
	case "additionalItems":
		additional := k.schema()
		if items, ok := k.tape.Member(s.at, "items"); ok && k.tape.Kind(items) == jsontape.Array {
			s.arrays().items = additional
		}
	case "prefixItems":
		s.arrays().prefix = k.schemas()
	case "contains":
		s.arrays().contains = k.schema()
	case "uniqueItems":
		if k.tape.Kind(k.value) != jsontape.Bool {
			k.fail("must be a boolean")
		}
		s.arrays().unique = k.tape.Bool(k.value)
	default:
		return false
	}
	return true
}

// compileObject compiles the keywords for objects.
func (k *keyword) compileObject(s *subschema) bool {
	switch k.name {
	case "properties":
		k.members(func(name string, m *keyword) {
			sub := m.schema()
			s.objects().property(name).schema = sub
		})
	case "required":
		for _, name := range k.strings() {
			if p := s.objects().property(name); p.required == 0 {
				p.required = 1
				s.object.required++
			}
		}
	case "patternProperties":
		k.members(func(name string, m *keyword) {
			s.objects().patterns = append(s.objects().patterns, patternRule{k.pattern(name), m.schema()})
		})
	case "additionalProperties":
		s.objects().additional = k.schema()
	case "propertyNames":
		s.objects().names = k.schema()
	case "dependentRequired", "dependentSchemas", "dependencies":
		k.members(func(name string, m *keyword) {
			d := dependency{name: name}
			if k.name == "dependentRequired" || k.name == "dependencies" && k.tape.Kind(m.value) == jsontape.Array {
				d.needs = m.strings()
			} else {
				d.schema = m.schema()
			}
			s.objects().needs = append(s.objects().needs, d)
		})
	default:
		return false
	}
	if k.opts.Condition { // also if it names no property
		s.ruled |= 1 << jsontape.Object
	}
	return true
}

// The rules of a subschema for one type, made when the first is met. They are kept out of line: the size of the code
// counts for more here than its speed.

var anySize = size{0, -1}

//go:noinline
func (s *subschema) numbers() *numberRules {
	if s.number == nil {
		s.ruled |= 1 << jsontape.Number
		s.number = &numberRules{}
	}
	return s.number
}

//go:noinline
func (s *subschema) texts() *textRules {
	if s.text == nil {
		s.ruled |= 1 << jsontape.String
		s.text = &textRules{size: anySize}
	}
	return s.text
}

//go:noinline
func (s *subschema) arrays() *arrayRules {
	if s.array == nil {
		s.ruled |= 1 << jsontape.Array
		s.array = &arrayRules{size: anySize, wanted: size{1, -1}}
	}
	return s.array
}

//go:noinline
func (s *subschema) objects() *objectRules {
	if s.object == nil {
		s.ruled |= 1 << jsontape.Object
		s.object = &objectRules{size: anySize}
	}
	return s.object
}

// property returns the named property, which it adds if need be. The pointer is good until the next call.
func (o *objectRules) property(name string) *property {
	if i, ok := o.index[name]; ok {
		return &o.properties[i]
	}
	if o.index == nil {
		o.index = map[string]int{}
	}
	o.index[name] = len(o.properties)
	o.properties = append(o.properties, property{name: name, key: jsontape.NewName(name)})
	return &o.properties[len(o.properties)-1]
}

// Readers for the values of keywords. Each reports a value of the wrong kind and returns something harmless.

func (k *keyword) isNumber() bool { return k.tape.Kind(k.value) == jsontape.Number }

//go:noinline
func (k *keyword) schema() *subschema { return k.compile(k.value, k.pointer, k.base) }

func (k *keyword) schemas() []*subschema {
	t := k.tape
	if t.Kind(k.value) != jsontape.Array || t.Len(k.value) == 0 && k.name != "items" {
		k.fail("must be an array of schemas that is not empty")
		return nil
	}
	var list []*subschema
	for e, end := t.Children(k.value); e < end; e = t.Next(e) {
		list = append(list, k.compile(e, joinPointer(k.pointer, itoa(len(list))), k.base))
	}
	return list
}

// members calls do for each member of an object, as a keyword of its own.
func (k *keyword) members(do func(name string, m *keyword)) {
	t := k.tape
	if t.Kind(k.value) != jsontape.Object {
		k.fail("must be an object")
		return
	}
	for n, end := t.Children(k.value); n < end; n = t.Next(n + 1) {
		name := t.Str(n)
		do(name, &keyword{k.compiler, k.name, n + 1, joinPointer(k.pointer, name), k.base})
	}
}

func (k *keyword) constants() []constant {
	list := make([]constant, 0, k.tape.Len(k.value))
	for e, end := k.tape.Children(k.value); e < end; e = k.tape.Next(e) {
		list = append(list, newConstant(k.tape, e))
	}
	return list
}

func (k *keyword) text() string {
	if k.tape.Kind(k.value) != jsontape.String {
		k.fail("must be a string")
		return ""
	}
	return k.tape.Str(k.value)
}

func (k *keyword) strings() []string {
	t := k.tape
	list := make([]string, 0, t.Len(k.value))
	if t.Kind(k.value) != jsontape.Array {
		k.fail("must be an array of strings")
		return nil
	}
	for e, end := t.Children(k.value); e < end; e = t.Next(e) {
		if t.Kind(e) != jsontape.String {
			k.fail("must be an array of strings")
			return nil
		}
		list = append(list, t.Str(e))
	}
	return list
}

// count reads a limit for a number of things.
func (k *keyword) count() int {
	if !k.isNumber() || k.tape.Float(k.value) < 0 || !isInteger(k.tape.Text(k.value)) {
		k.fail("must be a whole number, 0 or more")
		return 0
	}
	return int(min(k.tape.Float(k.value), math.MaxInt32)) // nothing has more: texts end at 4 GiB
}

func (k *keyword) types() typeSet {
	names := []string{}
	if k.tape.Kind(k.value) == jsontape.Array {
		names = k.strings()
	} else {
		names = append(names, k.text())
	}
	types := typeSet(0)
	for _, name := range names {
		known := typeSet(0)
		for kind := jsontape.Null; kind <= jsontape.Object; kind++ {
			if kind.String() == name {
				known = 1 << kind
			}
		}
		if name == "integer" {
			known = integers
		}
		if known == 0 {
			k.fail(`must be "null", "boolean", "object", "array", "number", "integer" or "string", or a list of them`)
		}
		types |= known
	}
	if types == 0 {
		k.fail("must not be empty")
	}
	return types
}

func (k *keyword) pattern(source string) pattern {
	if k.opts.Regexp == nil {
		k.compiler.fail(k.pointer, k.name+" needs Options.Regexp to compile patterns", ErrUnsupported)
		return pattern{}
	}
	match, err := k.opts.Regexp(source)
	if err != nil {
		k.compiler.fail(k.pointer, "pattern "+source+" does not compile: "+err.Error(), err)
	}
	return pattern{source, match}
}

// compileFormat compiles a format: for strings a function, for numbers a range.
func (k *keyword) compileFormat(s *subschema) {
	name := k.text()
	format, known := k.opts.Formats[name]
	if !known {
		format, known = formatOf(name)
	}
	bounds, whole := rangeOf(name)
	switch regexp := k.opts.Regexp; {
	case known:
	case bounds != nil:
		n := s.numbers()
		n.whole = whole
		n.bounds = append(n.bounds, bounds...)
	case name == "regex" && regexp != nil:
		format = func(s string) bool {
			_, err := regexp(s)
			return err == nil
		}
	case k.opts.Condition:
		k.fail("is not known, and so not checked: use pattern instead")
	default:
		k.compiler.warn(k.pointer, `the format "`+name+`" is not known, and not enforced: use pattern instead`)
	}
	if format != nil {
		s.texts().name, s.text.format = name, format
	}
}
