package schema

import (
	"math"
	"strings"

	"github.com/webmcp-wasm/webmcp/hooks/jsontape"
)

// annotations are the keywords that say something about a value, but nothing about whether it is valid.
var annotations = map[string]bool{
	"$schema": true, "$comment": true, "$vocabulary": true, "title": true, "description": true, "examples": true,
	"deprecated": true, "readOnly": true, "writeOnly": true,
	"contentMediaType": true, "contentEncoding": true, "contentSchema": true,
	// What generators write of their own: zod's id, OpenAPI's and editors' hints.
	"id": true, "example": true, "externalDocs": true, "xml": true, "errorMessage": true, "markdownDescription": true,
	"enumNames": true, "enumDescriptions": true,
}

// unsupported are the keywords that would change what is valid and that are not enforced, with what to use instead.
var unsupported = map[string]string{
	"$dynamicRef":      "use $ref",
	"$recursiveRef":    "use $ref",
	"$recursiveAnchor": "use $ref and $anchor",
	"nullable":         `add "null" to type`,
	"discriminator":    "use oneOf with a const in each form",
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
}

func newCompiler(t *jsontape.Tape, opts Options) *compiler {
	return &compiler{tape: t, opts: opts, done: map[jsontape.Node]*subschema{}, resources: map[string]*resource{}}
}

// document compiles the whole schema.
func (c *compiler) document() *subschema {
	root := c.compile(jsontape.Root, "#", c.addResource("", jsontape.Root, "#"))
	c.resolveRefs()
	c.refuseEndlessRefs()
	return root
}

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

func (k keyword) fail(message string) { k.compiler.fail(k.pointer, k.name+" "+message, nil) }

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
		k := keyword{c, t.Str(name), name + 1, joinPointer(pointer, t.Str(name)), base}
		if !k.compileGeneral(s) && !k.compileScalar(s) && !k.compileArray(s, n) && !k.compileObject(s) {
			k.refuseUnknown()
		}
	}
	if s.object != nil && len(s.object.properties) <= manyProperties {
		s.object.index = nil
	}
	return s
}

func (k keyword) refuseUnknown() {
	instead, known := unsupported[k.name]
	switch {
	case annotations[k.name] || strings.HasPrefix(k.name, "x-"):
	case known:
		k.compiler.fail(k.pointer, k.name+" is not supported: "+instead, ErrUnsupported)
	default:
		for _, name := range k.opts.Annotations {
			if name == k.name {
				return
			}
		}
		k.compiler.fail(k.pointer, k.name+` is no keyword that is enforced here: correct its spelling, or begin it with "x-" if it is an annotation`,
			ErrUnsupported)
	}
}

// compileGeneral compiles the keywords for values of every type, and reports whether k is one.
func (k keyword) compileGeneral(s *subschema) bool {
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
		k.named()
	case "default":
		if !k.opts.NoDefaults {
			s.fallback = t.AppendJSON(nil, k.value)
		}
	case "$id", "$anchor", "$dynamicAnchor": // seen to by identify
	default:
		return false
	}
	return true
}

// compileScalar compiles the keywords for numbers and strings.
func (k keyword) compileScalar(s *subschema) bool {
	switch k.name {
	case "minimum":
		s.addBound(k, ">=")
	case "maximum":
		s.addBound(k, "<=")
	case "exclusiveMinimum":
		s.addBound(k, ">")
	case "exclusiveMaximum":
		s.addBound(k, "<")
	case "multipleOf":
		if !k.isNumber() || k.tape.Float(k.value) <= 0 {
			k.fail("must be a number over 0")
		} else if s.numbers().multiple = newDivisor(k.tape.Text(k.value)); s.number.multiple == nil {
			k.fail("has more than 18 digits")
		}
	case "minLength":
		s.texts().size.min = k.count()
	case "maxLength":
		s.texts().size.max = k.count()
	case "pattern":
		s.texts().source = k.text()
		s.text.pattern = k.pattern(s.text.source)
	case "format":
		s.texts().name = k.text()
		s.text.format = k.format(s.text.name)
	default:
		return false
	}
	return true
}

// compileArray compiles the keywords for arrays. parent is the schema that k is in.
func (k keyword) compileArray(s *subschema, parent jsontape.Node) bool {
	switch k.name {
	case "items":
		if k.tape.Kind(k.value) != jsontape.Array {
			s.arrays().items = k.schema()
			return true
		}
		if _, both := k.tape.Member(parent, "prefixItems"); both { // draft-07 spells prefixItems and items so
			k.fail("must be a schema where there is prefixItems")
		}
		s.arrays().prefix = k.schemas()
	case "additionalItems":
		additional := k.schema()
		if items, ok := k.tape.Member(parent, "items"); ok && k.tape.Kind(items) == jsontape.Array {
			s.arrays().items = additional
		}
	case "prefixItems":
		s.arrays().prefix = k.schemas()
	case "contains":
		s.arrays().contains = k.schema()
	case "minContains":
		s.arrays().wanted.min = k.count()
	case "maxContains":
		s.arrays().wanted.max = k.count()
	case "minItems":
		s.arrays().size.min = k.count()
	case "maxItems":
		s.arrays().size.max = k.count()
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
func (k keyword) compileObject(s *subschema) bool {
	t := k.tape
	switch k.name {
	case "properties":
		for _, named := range k.named() {
			s.objects().property(named.name).schema = named.schema
		}
	case "required":
		for _, name := range k.strings() {
			if p := s.objects().property(name); !p.required {
				p.required = true
				s.object.required++
			}
		}
	case "patternProperties":
		for _, named := range k.named() {
			s.objects().patterns = append(s.objects().patterns, patternRule{k.pattern(named.name), named.schema})
		}
	case "additionalProperties":
		s.objects().additional = k.schema()
	case "propertyNames":
		s.objects().names = k.schema()
	case "minProperties":
		s.objects().size.min = k.count()
	case "maxProperties":
		s.objects().size.max = k.count()
	case "dependentRequired", "dependentSchemas", "dependencies":
		for _, m := range k.members() {
			d := dependency{name: t.Str(m.value - 1)}
			if k.name == "dependentRequired" || k.name == "dependencies" && t.Kind(m.value) == jsontape.Array {
				d.needs = m.strings()
			} else {
				d.schema = m.schema()
			}
			s.objects().needs = append(s.objects().needs, d)
		}
	default:
		return false
	}
	return true
}

// The rules of a subschema for one type, made when the first is met.

var anySize = size{0, -1}

func (s *subschema) numbers() *numberRules {
	if s.number == nil {
		s.number = &numberRules{}
	}
	return s.number
}

func (s *subschema) texts() *textRules {
	if s.text == nil {
		s.text = &textRules{size: anySize}
	}
	return s.text
}

func (s *subschema) arrays() *arrayRules {
	if s.array == nil {
		s.array = &arrayRules{size: anySize, wanted: size{1, -1}}
	}
	return s.array
}

func (s *subschema) objects() *objectRules {
	if s.object == nil {
		s.object = &objectRules{size: anySize}
	}
	return s.object
}

func (s *subschema) addBound(k keyword, op string) {
	if !k.isNumber() {
		k.fail("must be a number")
		return
	}
	text := k.tape.Text(k.value)
	s.numbers().bounds = append(s.number.bounds, bound{op, string(text), k.tape.Float(k.value), parseDecimal(text)})
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
	o.properties = append(o.properties, property{name: name})
	return &o.properties[len(o.properties)-1]
}

// Readers for the values of keywords. Each reports a value of the wrong kind and returns something harmless.

func (k keyword) isNumber() bool { return k.tape.Kind(k.value) == jsontape.Number }

func (k keyword) schema() *subschema { return k.compile(k.value, k.pointer, k.base) }

func (k keyword) schemas() []*subschema {
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

// members returns the members of an object, each as a keyword of its own.
func (k keyword) members() []keyword {
	t := k.tape
	if t.Kind(k.value) != jsontape.Object {
		k.fail("must be an object")
		return nil
	}
	var list []keyword
	for name, end := t.Children(k.value); name < end; name = t.Next(name + 1) {
		list = append(list, keyword{k.compiler, k.name, name + 1, joinPointer(k.pointer, t.Str(name)), k.base})
	}
	return list
}

type namedSchema struct {
	name   string
	schema *subschema
}

func (k keyword) named() []namedSchema {
	var list []namedSchema
	for _, m := range k.members() {
		list = append(list, namedSchema{k.tape.Str(m.value - 1), m.schema()})
	}
	return list
}

func (k keyword) constants() []constant {
	list := make([]constant, 0, k.tape.Len(k.value))
	for e, end := k.tape.Children(k.value); e < end; e = k.tape.Next(e) {
		list = append(list, newConstant(k.tape, e))
	}
	return list
}

func (k keyword) text() string {
	if k.tape.Kind(k.value) != jsontape.String {
		k.fail("must be a string")
		return ""
	}
	return k.tape.Str(k.value)
}

func (k keyword) strings() []string {
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
func (k keyword) count() int {
	if !k.isNumber() || k.tape.Float(k.value) < 0 || !isInteger(k.tape.Text(k.value)) {
		k.fail("must be a whole number, 0 or more")
		return 0
	}
	return int(min(k.tape.Float(k.value), math.MaxInt32)) // nothing has more: texts end at 4 GiB
}

func (k keyword) types() typeSet {
	names := []string{}
	if k.tape.Kind(k.value) == jsontape.Array {
		names = k.strings()
	} else {
		names = append(names, k.text())
	}
	known := map[string]typeSet{"integer": integers}
	for kind := jsontape.Null; kind <= jsontape.Object; kind++ {
		known[kind.String()] = 1 << kind
	}
	types := typeSet(0)
	for _, name := range names {
		if known[name] == 0 {
			k.fail(`must be "null", "boolean", "object", "array", "number", "integer" or "string", or a list of them`)
		}
		types |= known[name]
	}
	if types == 0 {
		k.fail("must not be empty")
	}
	return types
}

func (k keyword) pattern(source string) func(string) bool {
	if k.opts.Regexp == nil {
		k.compiler.fail(k.pointer, k.name+" needs Options.Regexp to compile patterns", ErrUnsupported)
		return nil
	}
	match, err := k.opts.Regexp(source)
	if err != nil {
		k.compiler.fail(k.pointer, k.name+": "+err.Error(), err)
	}
	return match
}

func (k keyword) format(name string) func(string) bool {
	if format, ok := k.opts.Formats[name]; ok {
		return format
	}
	format, ok := formats[name]
	if !ok {
		k.compiler.fail(k.pointer, `format "`+name+`" is not enforced here: use pattern instead`, ErrUnsupported)
	}
	return format
}
