package cases

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// Parts of what ran.
const (
	ranBefore = "outer.before inner.before tool.before"
	ranFn     = ranBefore + " fn"
	ranAll    = ranFn + " tool.after inner.after outer.after"
	ranError  = " tool.error inner.error outer.error"
	ranDenied = " tool.denied inner.denied outer.denied"
)

// Why drivers differ.
const (
	goMustMend = "A value of Go that JSON has not is a mistake of the program, which an error tells at once; " +
		"JavaScript has such values in ordinary data, and gets a text for them."
	ownForms = "A type has the JSON form that its language gives it."
)

func text(s string) string {
	said, _ := json.Marshal(s)
	return `{"content":[{"type":"text","text":` + string(said) + `}]}`
}

// refused is the result of a call that was denied or has failed, and says whether the
// function was called.
func refused(s, code string, executed bool) string {
	said, _ := json.Marshal(s)
	if code != "" {
		code = `,"code":"` + code + `"`
	}
	return `{"isError":true,"content":[{"type":"text","text":` + string(said) + `}]` + code + `,"executed":` + strconv.FormatBool(executed) + `}`
}

// succeeds is the outcome of a call that ran through.
func succeeds(with string) Want { return Want{text(with), ranAll, ""} }

// failed is the outcome of a call that failed after what ran.
func failed(ran, name, message string) Want {
	return Want{refused("Error: "+message, "", strings.Contains(ran, "fn")), ran + ranError, name + ": " + message}
}

// denied is the outcome of a denied call, whose denied hooks saw this input.
func denied(ran, code, message, input string) Want {
	return Want{refused("Denied: "+message, code, false), ran + ranDenied, code + ": " + message + " " + input}
}

// goFails is the difference of a value that Go cannot pass on as an output.
func goFails(message string) []Difference {
	return []Difference{{InGo, failed(ranFn, "Error", "the output that Go code set: "+message), goMustMend}}
}

const noForm = "its Go type has no JSON form here; use nil, bool, string, a number, []any, []string, map[string]any, map[string]string, " +
	"or a type with MarshalJSON (json.RawMessage(text) wraps JSON made elsewhere)"

func cycle() map[string]any {
	m := map[string]any{}
	m["self"] = m
	return m
}

func before(acts ...Act) Hooks { return Hooks{Before: acts} }
func after(acts ...Act) Hooks  { return Hooks{After: acts} }

// same is a value that both languages write alike.
func same(v any) Value {
	said, _ := json.Marshal(v)
	return Value{v, "(" + string(said) + ")"}
}

// script is a value that JavaScript alone has.
func script(expression string) Value { return Value{JS: expression} }

// output is the case of a function that returns a value.
func output(name string, v Value, want string) Case {
	return Case{Name: "the function returns " + name, Fn: Act{Do: Set, Value: v}, Want: succeeds(want)}
}

func (c Case) except(differences ...Difference) Case {
	c.Except = differences
	return c
}

func (c Case) only(drivers []Driver) Case {
	c.Only = drivers
	return c
}

// All is the table.
func All() []Case {
	var all []Case
	for _, part := range [][]Case{
		outputs(), results(), beforeHooks(), misusedBeforeHooks(), denials(), afterHooks(), failures(), observers(), messages(), validations(), aborts(), bags(),
	} {
		all = append(all, part...)
	}
	return all
}

// outputs: every output becomes a text.
func outputs() []Case {
	big := "9007199254740993"
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	lone := output("a text that is not well-formed", Value{"a\xff", `'a\ud800'`}, "a\ufffd")
	return []Case{
		output("nothing", Value{nil, "undefined"}, ""),
		output("null", same(nil), ""),
		output("an empty text", same(""), ""),
		output("a text", same("plain text"), "plain text"),
		output("a text that is JSON", same(`{"a":1}`), `{"a":1}`),
		output("a text of digits", same("42"), "42"),
		output("markup", same("<b>&amp;</b> \u2028 \"quoted\" é 😀"), "<b>&amp;</b> \u2028 \"quoted\" é 😀"),
		output("markup inside", same([]any{"<b>&", "\u2028", "\t\u0001"}), "[\"<b>&\",\"\u2028\",\"\\t\\u0001\"]"),
		lone,
		output("zero", same(0), "0"),
		output("negative zero", Value{math.Copysign(0, -1), "-0"}, "0"),
		output("negative zero inside", Value{[]any{math.Copysign(0, -1)}, "[-0]"}, "[0]"),
		output("a whole number", same(42), "42"),
		output("a small type", Value{uint8(200), "200"}, "200"),
		output("a fraction", same(-0.5), "-0.5"),
		output("a float32", Value{float32(0.1), "0.1"}, "0.1"),
		output("a large number", same(1e21), "1e+21"),
		output("a number just below", same(1e20), "100000000000000000000"),
		output("a small number", same(1.5e-7), "1.5e-7"),
		output("the largest exact number", Value{int64(1<<53 - 1), "9007199254740991"}, "9007199254740991"),
		output("a number that JavaScript has as a bigint", Value{int64(1<<53 + 1), big + "n"}, big).
			except(goFails("cannot write value as JSON: JavaScript would round " + big + "; use a string")...),
		output("such a number inside", Value{map[string]any{"id": uint64(1<<53 + 1)}, "({ id: " + big + "n })"}, `{"id":"`+big+`"}`).
			except(goFails("cannot write id as JSON: JavaScript would round " + big + "; use a string")...),
		output("NaN", Value{math.NaN(), "NaN"}, "NaN").
			except(goFails("cannot write value as JSON: JSON has no NaN; use nil or a finite number")...),
		output("infinity", Value{math.Inf(1), "Infinity"}, "Infinity").
			except(goFails("cannot write value as JSON: JSON has no +Inf; use nil or a finite number")...),
		output("NaN inside", Value{map[string]any{"n": []any{math.NaN()}}, "({ n: [NaN] })"}, `{"n":[null]}`).
			except(goFails("cannot write n[0] as JSON: JSON has no NaN; use nil or a finite number")...),
		output("true", same(true), "true"),
		output("false", same(false), "false"),
		output("an object", same(map[string]any{"a": 1, "b": []any{2, "x", nil}, "c": map[string]any{}}), `{"a":1,"b":[2,"x",null],"c":{}}`),
		output("an object with __proto__", Value{map[string]any{"__proto__": 1}, `JSON.parse('{"__proto__":1}')`}, `{"__proto__":1}`),
		output("an object whose names are numbers", Value{map[string]any{"10": 1, "9": 2, "b": 3}, "({ 10: 1, 9: 2, b: 3 })"}, `{"9":2,"10":1,"b":3}`).
			except(Difference{
				[]Driver{Native},
				succeeds(`{"10":1,"9":2,"b":3}`),
				"JavaScript objects have such names first, in the order of the numbers. The order of members means nothing.",
			}),
		output("a list", same([]any{1, "a", []any{}}), `[1,"a",[]]`),
		output("an empty list", same([]any{}), "[]"),
		output("an empty object", same(map[string]any{}), "{}"),
		output("a nil map", Value{map[string]any(nil), "null"}, ""),
		output("a nil slice", Value{[]any(nil), "null"}, ""),
		output("nil maps and slices inside", Value{[]any{map[string]any(nil), []string(nil)}, "[null, undefined]"}, "[null,null]"),
		output("strings", Value{[]string{"a", "b"}, "['a', 'b']"}, `["a","b"]`),
		output("a map of strings", Value{map[string]string{"a": "b"}, "({ a: 'b' })"}, `{"a":"b"}`),
		output("bytes", Value{[]byte{1, 2}, "new Uint8Array([1, 2])"}, "[1,2]").except(goFails("cannot write value as JSON: " + noForm)...),
		output("a value of a program's own type", Value{Own{1}, "new (class Own { n = 1 })()"}, `{"n":1}`).
			except(goFails("cannot write value as JSON: " + noForm)...),
		output("a function", Value{func() {}, "function named() {}"}, "[function named]").except(goFails("cannot write value as JSON: " + noForm)...),
		output("a function inside", Value{[]any{func() {}}, "[() => {}]"}, `["[function anonymous]"]`).except(goFails("cannot write [0] as JSON: " + noForm)...),
		output("a cycle", Value{cycle(), "(() => { const a = {}; a.self = a; return a })()"}, `{"self":"[cycle]"}`).
			except(goFails("JSON is nested deeper than 1000 levels")...),
		output("a time", Value{when, "new Date(Date.UTC(2026, 0, 2, 3, 4, 5))"}, "2026-01-02T03:04:05.000Z").
			except(Difference{InGo, succeeds("2026-01-02T03:04:05Z"), ownForms}),
		output("a value with a form of its own", Value{Marshaler(` { "a" : [ 1 ] } `), "({ toJSON: () => ({ a: [1] }) })"}, `{"a":[1]}`),
		output("a value whose form is a text", Value{Marshaler(`"text"`), "({ toJSON: () => 'text' })"}, "text"),
		output("a value whose form is no JSON", Value{Marshaler(`{`), "({ toJSON() { throw new Error('no form') } })"}, "[unreadable: no form]").
			except(goFails("cannot write value as JSON: MarshalJSON returned invalid JSON: the text ends where a value should be at byte 1")...),
		{
			Name: "the function returns an error", Fn: Act{Do: Set, Value: Value{errors.New("out of stock"), "new Error('out of stock')"}},
			Want: failed(ranFn, "Error", "out of stock"),
		},
		{
			Name: "the function returns an error of its own", Fn: Act{Do: Set, Value: Value{&OwnError{42}, "new OwnError(42)"}},
			Want: failed(ranFn, "OwnError 42", "out of stock"),
		},
		output("an error inside", Value{[]any{errors.New("x")}, "[new RangeError('x')]"}, `[{"name":"RangeError","message":"x"}]`).
			except(goFails("cannot write [0] as JSON: " + noForm)...),
		{
			Name: "the function returns what panics when it is written", Only: InGo, Fn: Act{Do: Set, Value: Value{Go: Marshaler("")}},
			Want: failed(ranFn, "PanicError", "internal error: the tool's Go code panicked"),
		},
	}
}

// results: an output that is a result already goes as it is.
func results() []Case {
	item := map[string]any{"type": "text", "text": "one"}
	pass := func(name string, members map[string]any) Case {
		said, _ := json.Marshal(members)
		return Case{Name: "the function returns a result " + name, Fn: Act{Do: Set, Value: same(members)}, Want: Want{string(said), ranAll, ""}}
	}
	return []Case{
		pass("of one text", map[string]any{"content": []any{item}}),
		pass("of two", map[string]any{"content": []any{item, map[string]any{"type": "image", "data": "aGk=", "mimeType": "image/png"}}}),
		pass("of none", map[string]any{"content": []any{}}),
		pass("that failed", map[string]any{"content": []any{item}, "isError": true}),
		pass("that did not", map[string]any{"content": []any{item}, "isError": false}),
		pass("with a code", map[string]any{"content": []any{item}, "isError": true, "code": "NO"}),
		pass("with odd members", map[string]any{"content": []any{item}, "isError": "yes", "code": 1, "other": nil}),
		pass("with structured content", map[string]any{"content": []any{item}, "structuredContent": map[string]any{"a": 1}, "_meta": map[string]any{}}),
		output("what is not quite a result", same(map[string]any{"content": []any{map[string]any{"type": "text"}}}), `{"content":[{"type":"text"}]}`),
		output("content that is no list", same(map[string]any{"content": "one"}), `{"content":"one"}`),
		{
			Name: "the function returns a hooks.Result", Only: InGo, Fn: Act{Do: Set, Value: Value{Go: Result}},
			Want: Want{`{"isError":true,"code":"NO","content":[{"type":"text","text":"one"}],"structuredContent":{"a":1}}`, ranAll, ""},
		},
		output("a nil *hooks.Result", Value{Go: NilResult}, "").only(InGo),
	}
}

// beforeHooks: what a before hook makes of the input.
func beforeHooks() []Case {
	set := func(name string, v Value, want string) Case {
		return Case{Name: "a before hook sets " + name, Inner: before(Act{Do: Set, Value: v}), Want: succeeds(want)}
	}
	keep := func(returned string) Case {
		return Case{
			Name: "a before hook returns " + returned, Only: InScript,
			Inner: before(Act{Do: Return, Value: script(returned)}), Want: succeeds(`{"n":1}`),
		}
	}
	inputFails := func(message string) Want {
		return failed("outer.before inner.before", "Error", "the input that Go code set: "+message)
	}
	return []Case{
		{Name: "nothing changes anything", Want: succeeds(`{"n":1}`)},
		{Name: "the input is null", Input: "null", Want: succeeds(""), Only: []Driver{Native}},
		{Name: "numbers, names and depths of an input arrive", Input: `{"a":[-0.5,1e21,{"b":null}],"é":"\u2028"}`, Want: succeeds("{\"a\":[-0.5,1e+21,{\"b\":null}],\"é\":\"\u2028\"}")},
		set("an object", same(map[string]any{"n": 2}), `{"n":2}`),
		set("null", same(nil), ""),
		set("zero", same(0), "0"),
		set("an empty text", same(""), ""),
		set("false", same(false), "false"),
		set("a list of strings", Value{[]string{"a"}, "['a']"}, `["a"]`),
		{
			Name:  "the next hook gets what the one before has set",
			Outer: before(Act{Do: Set, Value: same("first")}), Inner: before(Act{}), Tool: before(Act{Do: Set, Value: same("second")}, Act{}),
			Want: succeeds("second"),
		},
		keep("undefined"), keep("null"), keep("true"), keep("0"), keep("42"), keep("NaN"), keep("({})"), keep("({ input: undefined })"),
		{
			Name: "a before hook sets what JSON has not", Only: InGo,
			Inner: before(Act{Do: Set, Value: Value{Go: []any{func() {}}}}), Want: inputFails("cannot write [0] as JSON: " + noForm),
		},
		{
			Name: "a before hook sets what JSON has not and the next one mends it", Only: InGo,
			Inner: before(Act{Do: Set, Value: Value{Go: Own{1}}}, Act{Do: Set, Value: same(1)}), Want: inputFails("cannot write value as JSON: " + noForm),
		},
		{
			Name: "a before hook sets what panics when it is written", Only: InGo, Inner: before(Act{Do: Set, Value: Value{Go: Marshaler("")}}),
			Want: failed("outer.before inner.before", "PanicError", "internal error: the tool's Go code panicked"),
		},
	}
}

// misusedBeforeHooks: a typo in a policy never lets a call through.
func misusedBeforeHooks() []Case {
	misused := func(returned, what string) Case {
		return Case{
			Name: "a before hook returns " + returned, Only: InScript, Inner: before(Act{Do: Return, Value: script(returned)}),
			Want: failed("outer.before inner.before", "ConfigurationError",
				"the before hook returned "+what+": return nothing to go on, {input} to change the input, or {action: 'deny', message, code} to deny"),
		}
	}
	const neither = "an object without input or action"
	return []Case{
		misused("false", "false"), misused("''", "a string"), misused("'deny'", "a string"), misused("1n", "1"),
		misused("new (class { input = 1; get action() { return 'allow'; } })()", "the unknown action allow"),
		misused("({ action: undefined, input: 1 })", "the unknown action "),
		misused("({ action: 'allow' })", "the unknown action allow"),
		misused("({ action: 'Deny', input: {} })", "the unknown action Deny"),
		misused("({ n: 2 })", neither), misused("({ output: 1 })", neither), misused("[{ input: 1 }]", neither), misused("new Date()", neither),
	}
}

// denials: the agent reads why, and nothing runs but denied hooks.
func denials() []Case {
	deny := func(name string, act Act, want Want) Case { return Case{Name: name, Inner: before(act), Want: want} }
	const ran = "outer.before inner.before"
	return []Case{
		deny("a denial", Act{Do: Deny, Code: "NO", Text: "not today"}, denied(ran, "NO", "not today", `{"n":1}`)),
		deny("a denial without a code", Act{Do: Deny, Text: "not today"}, denied(ran, "DENIED", "not today", `{"n":1}`)),
		deny("a denial without texts", Act{Do: Deny}, denied(ran, "DENIED", "the call was denied, and nothing was done", `{"n":1}`)),
		deny("a denial with empty texts", Act{Do: Return, Value: script("({ action: 'deny', message: '', code: '' })")},
			denied(ran, "DENIED", "the call was denied, and nothing was done", `{"n":1}`)).only(InScript),
		deny("a denial of a class", Act{Do: Return, Value: script("new (class { input = 9; get action() { return 'deny'; } get code() { return 'NO'; } get message() { return 'not today'; } })()")},
			denied(ran, "NO", "not today", "9")).only(InScript),
		deny("a denial of a prototype", Act{Do: Return, Value: script("Object.assign(Object.create({ action: 'deny', code: 'NO', message: 'not today' }), { input: 9 })")},
			denied(ran, "NO", "not today", "9")).only(InScript),
		deny("a denial of a Proxy", Act{Do: Return, Value: script("new Proxy({ input: 9 }, { get: (of, key) => ({ action: 'deny', code: 'NO', message: 'not today' })[key] ?? of[key] })")},
			denied(ran, "NO", "not today", "9")).only(InScript),
		deny("a denial without texts, made by hand", Act{Do: Fail, Value: Value{Go: BareDenial}}, denied(ran, "DENIED", "the call was denied, and nothing was done", `{"n":1}`)).only(InGo),
		deny("a denial that is wrapped", Act{Do: Fail, Value: Value{Go: Wrapped}}, denied(ran, "NO", "not today", `{"n":1}`)).only(InGo),
		deny("a denial with an input beside it", Act{Do: Deny, Code: "NO", Text: "not today", Value: same("newest")}, denied(ran, "NO", "not today", `"newest"`)),
		deny("a denial beside an input that JSON has not", Act{Do: Deny, Code: "NO", Text: "not today", Value: Value{Go: Own{1}}},
			denied(ran, "NO", "not today", `{"n":1}`)).only(InGo),
		{
			Name: "denied hooks see the newest input", Outer: before(Act{Do: Set, Value: same("enriched")}),
			Tool: before(Act{Do: Deny, Code: "NO", Text: "not today"}, Act{Do: Panic}),
			Want: denied(ranBefore, "NO", "not today", `"enriched"`),
		},
		{
			Name: "a denial comes before validation", Input: `{"n":"x"}`, Schema: `{"properties":{"n":{"type":"number"}}}`,
			Tool: before(Act{Do: Deny, Code: "NO", Text: "not today"}), Want: denied(ranBefore, "NO", "not today", `{"n":"x"}`),
		},
		{
			Name: "what denied hooks do changes nothing", Inner: before(Act{Do: Deny, Code: "NO", Text: "not today"}),
			Outer: Hooks{Denied: []Act{{Do: Fail, Text: "observer"}}},
			Tool:  Hooks{Denied: []Act{{Do: Fail, Text: "observer"}, {Do: Set, Value: same("changed")}}},
			Want:  denied(ran, "NO", "not today", `{"n":1}`),
		},
	}
}

// afterHooks: what an after hook makes of the output.
func afterHooks() []Case {
	set := func(name string, v Value, want string) Case {
		return Case{Name: "an after hook sets " + name, Inner: after(Act{Do: Set, Value: v}), Want: succeeds(want)}
	}
	keep := func(returned string) Case {
		return Case{
			Name: "an after hook returns " + returned, Only: InScript, Inner: after(Act{Do: Return, Value: script(returned)}), Want: succeeds(`{"n":1}`),
		}
	}
	const ran = ranFn + " tool.after inner.after"
	misused := func(returned, what string) Case {
		return Case{
			Name: "an after hook returns " + returned, Only: InScript, Inner: after(Act{Do: Return, Value: script(returned)}),
			Want: behind(ran, "ConfigurationError", "the after hook returned "+what+": return nothing to keep the output, or {output} to change it"),
		}
	}
	return []Case{
		set("a text", same("redacted"), "redacted"),
		set("null", same(nil), ""),
		set("false", same(false), "false"),
		set("a result", same(map[string]any{"content": []any{}, "a": 1}), "").want(Want{`{"content":[],"a":1}`, ranAll, ""}),
		{
			Name: "an after hook returns what has its output of a class", Only: InScript,
			Inner: after(Act{Do: Return, Value: script("new (class { get output() { return 'redacted'; } })()")}), Want: succeeds("redacted"),
		},
		keep("undefined"), keep("null"), keep("true"), keep("7"), keep("({})"),
		misused("({ output: undefined })", "{output: undefined}"), misused("'redacted'", "a string"), misused("false", "false"),
		misused("({ input: 1 })", "an object without output"), misused("({ action: 'deny' })", "an object without output"),
		{
			Name: "an after hook fails", Inner: after(Act{Do: Fail, Text: "cannot redact SECRET"}),
			Want: behind(ran, "Error", "cannot redact SECRET"),
		},
		{
			Name: "an after hook fails with an error of its own", Inner: after(Act{Do: Fail, Value: Value{&OwnError{7}, "new OwnError(7)"}}),
			Want: behind(ran, "OwnError 7", "out of stock"),
		},
		{
			Name: "an after hook cannot deny", Inner: after(Act{Do: Deny, Code: "NO", Text: "too late"}),
			Want: behind(ran, "Error", "Denied: too late"),
			Except: []Difference{{
				InScript,
				behind(ran, "ConfigurationError", "the after hook returned an object without output: return nothing to keep the output, or {output} to change it"),
				"In Go a denial is an error, and so it is one that an after hook returned; in JavaScript it is an object without what is needed.",
			}},
		},
		{
			Name: "an after hook sets an error", Inner: after(Act{Do: Set, Value: Value{errors.New("x"), "new Error('x')"}}),
			Want: behind(ran, "Error", "x"),
		},
		{
			Name: "an after hook sets what JSON has not", Only: InGo, Inner: after(Act{Do: Set, Value: Value{Go: Own{1}}}),
			Want: behind(ran, "Error", "the output that Go code set: cannot write value as JSON: "+noForm),
		},
		{
			Name: "an after hook panics", Only: InGo, Inner: after(Act{Do: Panic}),
			Want: behind(ran, "PanicError", "internal error: the tool's Go code panicked"),
		},
	}
}

func (c Case) want(w Want) Case {
	c.Want = w
	return c
}

// behind is the outcome of a call that failed behind the function. Its message
// may quote what was to be redacted, so it is for observers alone.
func behind(ran, name, message string) Want {
	return Want{refused("Error: the tool has run, but its output cannot be passed on", "", true), ran + ranError, name + ": " + message}
}

// failures: of hooks and of the function.
func failures() []Case {
	in := func(name string, act Act, want func(ran string) Want, only []Driver) []Case {
		return []Case{
			{Name: "the function " + name, Fn: act, Want: want(ranFn), Only: only},
			{Name: "a before hook " + name, Inner: before(act), Want: want("outer.before inner.before"), Only: only},
		}
	}
	wants := func(name, message string) func(string) Want {
		return func(ran string) Want { return failed(ran, name, message) }
	}
	var all []Case
	for _, part := range [][]Case{
		in("fails", Act{Do: Fail, Text: "out of stock"}, wants("Error", "out of stock"), nil),
		in("fails with an error of its own", Act{Do: Fail, Value: Value{&OwnError{42}, "new OwnError(42)"}}, wants("OwnError 42", "out of stock"), nil),
		in("fails with a wrapped error", Act{Do: Fail, Value: Value{Go: wrap{&OwnError{42}}}}, wants("OwnError 42", "shop: out of stock"), InGo),
		in("fails without a message", Act{Do: Fail, Value: Value{errors.New(""), "new Error('')"}},
			func(ran string) Want { return failed(ran, "Error", "an error without a message") }, nil),
		in("fails with an error that cannot be read", Act{Do: Fail, Value: Value{(*NilError)(nil), "({ get message() { throw new Error() } })"}},
			wants("Error", "an error that cannot be read"), nil),
		in("throws a text", Act{Do: Fail, Value: script("'out of stock'")}, wants("Error", "out of stock"), InScript),
		in("throws undefined", Act{Do: Fail, Value: script("undefined")}, wants("Error", "undefined was thrown"), InScript),
		in("throws an error with a name only", Act{Do: Fail, Value: script("new RangeError('')")}, wants("RangeError", "RangeError"), InScript),
		in("panics", Act{Do: Panic}, wants("PanicError", "internal error: the tool's Go code panicked"), InGo),
		in("ends its goroutine", Act{Do: Goexit}, wants("Error", "internal error: the tool's Go code ended its goroutine"), InGo),
	} {
		all = append(all, part...)
	}
	return all
}

// wrap is an error around another.
type wrap struct{ err error }

func (w wrap) Error() string { return "shop: " + w.err.Error() }
func (w wrap) Unwrap() error { return w.err }

// observers: what error hooks do changes nothing, and the next one runs.
func observers() []Case {
	of := func(name string, act Act, only []Driver) Case {
		return Case{
			Name: "an error hook " + name, Only: only, Fn: Act{Do: Fail, Text: "out of stock"},
			Tool: Hooks{Error: []Act{act, {}}}, Inner: Hooks{Error: []Act{act}},
			Want: failed(ranFn, "Error", "out of stock"),
		}
	}
	return []Case{
		of("fails", Act{Do: Fail, Text: "observer"}, nil),
		of("returns something", Act{Do: Return, Value: script("({ action: 'deny', output: 1 })")}, InScript),
		of("fails with an error that cannot be read", Act{Do: Fail, Value: Value{(*NilError)(nil), "({ get message() { throw new Error() } })"}}, nil),
		of("sets values", Act{Do: Set, Value: same(1)}, nil),
		of("panics", Act{Do: Panic}, InGo),
		of("ends its goroutine", Act{Do: Goexit}, InGo),
		of("returns an error", Act{Do: Return, Value: script("new Error('other')")}, InScript),
		of("returns a denial", Act{Do: Return, Value: script("({ action: 'deny', message: 'other' })")}, InScript),
	}
}

// messages: error hooks say what the agent reads of a failure; the error itself
// stays for observers.
func messages() []Case {
	const secret = "no such user: ada@example.com"
	to := func(name, text string, c Case) Case {
		c.Name, c.Want = name, Want{refused("Error: "+text, "", true), ranFn + ranError, "Error: " + secret}
		if c.Fn.Do == "" {
			c.Fn = Act{Do: Fail, Text: secret}
		}
		return c
	}
	says := func(acts ...Act) Hooks { return Hooks{Error: acts} }
	const concealed = "the call has failed, and why cannot be passed on"
	behind := to("an error hook says more of a failure behind the function", "try later",
		Case{Fn: Act{Do: Set, Value: same("out")}, Tool: Hooks{After: []Act{{Do: Fail, Text: secret}}, Error: []Act{{Do: Say, Text: "try later"}}}})
	behind.Want.Ran = ranFn + " tool.after" + ranError
	before := to("an error hook says what the agent reads of a before hook", "try later",
		Case{Outer: Hooks{Before: []Act{{Do: Fail, Text: secret}}, Error: []Act{{Do: Say, Text: "try later"}}}})
	before.Want.Result, before.Want.Ran = refused("Error: try later", "", false), "outer.before"+ranError
	return []Case{
		behind, before,
		to("an error hook says what the agent reads", "no such user", Case{Tool: says(Act{Do: Say, Text: "no such user"})}),
		to("the outermost error hook says it", "outer", Case{Outer: says(Act{Do: Say, Text: "outer"}), Tool: says(Act{Do: Say, Text: "tool"}, Act{})}),
		to("an error hook says nothing", concealed, Case{Tool: says(Act{Do: Say})}),
		to("an error hook fails that has read the message", concealed, Case{Tool: says(Act{Do: Blurt})}),
		to("an error hook fails that has read what another one said", concealed, Case{Tool: says(Act{Do: Say, Text: "tool"}), Outer: says(Act{Do: Blurt})}),
		to("an error hook behind one that failed says it", "outer", Case{Tool: says(Act{Do: Blurt}), Outer: says(Act{Do: Say, Text: "outer"})}),
		to("an error hook returns a message that is no text", concealed, Case{Tool: says(Act{Do: Return, Value: script("({ message: 7 })")})}).only(InScript),
	}
}

// validations: of what before hooks made of the input, and after hooks of the output.
func validations() []Case {
	const schema = `{"type":"object","properties":{"n":{"type":"integer","maximum":10},"tag":{"type":"string","pattern":"^[A-Z]+$","default":"A"}},"required":["n"]}`
	const result = `{"type":"object","properties":{"ok":{"type":"boolean"},"more":{"default":1}},"required":["ok"]}`
	input := func(name, input string, want Want, hooks ...Act) Case {
		return Case{Name: "an input " + name, Schema: schema, Input: input, Tool: before(hooks...), Want: want}
	}
	invalid := func(issues string) Want { return failed(ranBefore, "ValidationError", "invalid input: "+issues) }
	checked := func(name string, v any, want Want, hooks ...Act) Case {
		return Case{Name: "an output " + name, OutputSchema: result, Fn: Act{Do: Set, Value: same(v)}, Tool: after(hooks...), Want: want}
	}
	const afterAll = ranFn + " tool.after inner.after outer.after"
	broken := func(issues string) Want {
		return behind(afterAll, "ValidationError", "the tool returned what its contract does not allow: "+issues)
	}
	item := []any{map[string]any{"type": "text", "text": "one"}}
	structured := func(object string) Want {
		text, _ := json.Marshal(object)
		return Want{`{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + object + `}`, ranAll, ""}
	}
	// An output that only a made-up text can say, and one that has a form of its own.
	unsaid := func(name, expression, issue string) Case {
		return Case{
			Name: "an output with " + name, Only: InScript, OutputSchema: `{"properties":{"v":{}}}`,
			Fn: Act{Do: Set, Value: script("({ v: " + expression + " })")}, Want: broken("v" + issue),
		}
	}
	said := func(name, expression, text string) Case {
		return Case{
			Name: "an output with " + name, Only: InScript, OutputSchema: `{"properties":{"v":{}}}`,
			Fn: Act{Do: Set, Value: script("({ v: " + expression + " })")}, Want: structured(text),
		}
	}
	// What a before hook makes of n, and what is said of it: in Go already of the hook.
	odd := func(name string, v Value, issue, inGo string) Case {
		c := Case{
			Name: "an input that a hook has given " + name, Schema: `{"properties":{"n":{"type":["number","null"]}}}`,
			Tool: before(Act{Do: Set, Value: Value{map[string]any{"n": v.Go}, "({ n: " + v.JS + " })"}}), Want: invalid("n: " + issue),
		}
		if inGo == "" {
			return c
		}
		return c.except(Difference{InGo, failed(ranBefore, "Error", "the input that Go code set: cannot write n as JSON: "+inGo), goMustMend})
	}
	return []Case{
		unsaid("a function", "() => {}", ": is a function, which JSON has not"),
		unsaid("a Symbol", "Symbol('s')", ": is a symbol, which JSON has not"),
		unsaid("a BigInt", "[1n]", "[0]: is a bigint, which JSON has not"),
		unsaid("NaN", "NaN", ": must be a finite number, got NaN"),
		unsaid("a getter that throws", "{ get a() { throw new Error('SECRET'); } }", ".a: cannot be read: SECRET"),
		unsaid("an error inside", "new Error('SECRET')", ": is an Error, which JSON has not"),
		{
			Name: "an output that holds itself", Only: InScript, OutputSchema: `{"type":"object"}`,
			Fn:   Act{Do: Set, Value: script("(() => { const a = {}; a.a = a; return a; })()")},
			Want: broken("holds itself, or too much"),
		},
		said("a Date", "new Date(0)", `{"v":"1970-01-01T00:00:00.000Z"}`),
		said("a Map", "new Map([['a', 1]])", `{"v":{"a":1}}`),
		input("that is valid, with a default", `{"n":2}`, succeeds(`{"n":2,"tag":"A"}`)),
		input("without what is required", `{}`, invalid("n: is required")),
		input("that is too large", `{"n":11}`, invalid("n: must be <= 10, got 11")),
		input("that breaks two rules", `{"n":"x","tag":"a"}`, invalid(`n: must be an integer, got "x"; tag: must match the pattern ^[A-Z]+$, got "a"`)),
		input("that is no object", `[]`, invalid("must be an object, got []")).only([]Driver{Native}),
		input("that a hook made valid", `{}`, succeeds(`{"n":3,"tag":"A"}`), Act{Do: Set, Value: same(map[string]any{"n": 3})}),
		input("that a hook made invalid", `{"n":1}`, invalid("must be an object, got null"), Act{Do: Set, Value: same(nil)}),
		odd("Infinity where the schema has a number", Value{math.Inf(1), "Infinity"}, "must be a finite number, got Infinity", "JSON has no +Inf; use nil or a finite number"),
		odd("NaN where the schema may have null", Value{math.NaN(), "NaN"}, "must be a finite number, got NaN", "JSON has no NaN; use nil or a finite number"),
		odd("a function", Value{func() {}, "() => {}"}, "is a function, which JSON has not", noForm),
		odd("a Map", script("new Map()"), "is a Map, which JSON has not", "").only(InScript),
		odd("a Date", script("new Date(0)"), "is a Date with a toJSON, so that its schema would check something else: use what that returns", "").only(InScript),
		odd("a toJSON of its own", script("({ toJSON: () => 1 })"), "is an Object with a toJSON, so that its schema would check something else: use what that returns", "").only(InScript),
		{
			Name: "an input with undefined in a list", Only: InScript, Schema: `{"properties":{"n":{"items":{"type":"null"}}}}`,
			Tool: before(Act{Do: Set, Value: script("({ n: [null, undefined] })")}), Want: invalid("n[1]: is undefined, which JSON has not: use null"),
		},
		{
			Name: "an input of a class, and undefined members", Only: InScript, Schema: schema,
			Tool: before(Act{Do: Set, Value: script("new (class { n = 2; other = undefined; })()")}), Want: succeeds(`{"n":2,"tag":"A"}`),
		},
		{
			Name: "an input that JSON has not, without a schema", Only: InScript,
			Tool: before(Act{Do: Set, Value: script("({ n: Infinity, when: new Date(0) })")}), Fn: Act{Do: Set, Value: same("ran")}, Want: succeeds("ran"),
		},
		{
			Name: "an input that breaks more rules than are listed", Schema: `{"properties":{"a":{"items":false}}}`, Input: `{"a":[` + strings.Repeat("1,", 10) + `1]}`,
			Want: invalid("a[0]: is not allowed; a[1]: is not allowed; a[2]: is not allowed; a[3]: is not allowed; a[4]: is not allowed; " +
				"a[5]: is not allowed; a[6]: is not allowed; a[7]: is not allowed; a[8]: is not allowed; a[9]: is not allowed; and more"),
		},
		checked("that is valid is not filled in", map[string]any{"ok": true}, structured(`{"ok":true}`)),
		checked("that is not", map[string]any{"password": "SECRET"}, broken("ok: is required")),
		checked("that an after hook made valid", "SECRET", structured(`{"ok":false}`), Act{Do: Set, Value: same(map[string]any{"ok": false})}),
		{Name: "an output that is a list is a text alone", OutputSchema: `{"type":"array"}`, Fn: Act{Do: Set, Value: same([]any{1})}, Want: succeeds("[1]")},
		{Name: "an output of a tool without an output schema is a text alone", Fn: Act{Do: Set, Value: same(map[string]any{"ok": true})}, Want: succeeds(`{"ok":true}`)},
		checked("that is null", nil, broken("must be an object, got null")),
		checked("that is a failed result is not looked at", map[string]any{"content": item, "isError": true}, Want{`{"isError":true,"content":[{"type":"text","text":"one"}]}`, ranAll, ""}),
		checked("that is a result has structured content", map[string]any{"content": item, "structuredContent": map[string]any{"ok": true}},
			Want{`{"content":[{"type":"text","text":"one"}],"structuredContent":{"ok":true}}`, ranAll, ""}),
		checked("that is a result with other content", map[string]any{"content": item, "structuredContent": map[string]any{"ok": 1}}, broken("ok: must be a boolean, got 1")),
		checked("that is a result without", map[string]any{"content": item}, broken("must be an object, got null")),
	}
}

// aborts: before the function they end the call, behind it they change nothing.
func aborts() []Case {
	const aborted = "the call was aborted"
	hook := func(name string, act Act) Case {
		return Case{
			Name: "a before hook aborts the call and " + name, Inner: before(act, Act{Do: Set, Value: same("next")}),
			Want: failed("outer.before inner.before", "AbortError", aborted),
		}
	}
	return []Case{
		{Name: "an aborted call", Aborted: true, Want: Want{refused("Error: "+aborted, "", false), strings.TrimSpace(ranError), "AbortError: " + aborted}},
		{
			Name: "a call aborted for a reason", Aborted: true, Reason: "the agent left",
			Want: Want{refused("Error: "+aborted+": the agent left", "", false), strings.TrimSpace(ranError), "AbortError: " + aborted + ": the agent left"},
		},
		hook("goes on", Act{Do: Abort}),
		hook("sets the input", Act{Do: Abort, Value: same("set")}),
		hook("fails", Act{Do: Abort, Text: "broken"}),
		hook("denies", Act{Do: Abort, Code: "NO", Text: "not today"}),
		{
			Name: "the last before hook aborts the call", Tool: before(Act{Do: Abort}), Reason: "too slow",
			Want: failed(ranBefore, "AbortError", aborted+": too slow"),
		},
		{Name: "the function aborts the call", Fn: Act{Do: Abort, Value: same("done")}, Want: succeeds("done")},
		{Name: "the function aborts the call and fails", Fn: Act{Do: Abort, Text: "half done"}, Want: failed(ranFn, "Error", "half done")},
		{Name: "an after hook aborts the call", Tool: after(Act{Do: Abort, Value: same("done")}), Want: succeeds("done")},
	}
}

// bags: metadata are one bag for all of a call.
func bags() []Case {
	return []Case{
		{Name: "metadata reach the function", Outer: before(Act{Do: Put, Text: "a", Value: same(map[string]any{"b": 1})}), Fn: Act{Do: Take, Text: "a"}, Want: succeeds(`{"b":1}`)},
		{
			Name: "metadata are set again", Outer: before(Act{Do: Put, Text: "a", Value: same(1)}), Tool: before(Act{Do: Put, Text: "a", Value: same("two")}),
			Fn: Act{Do: Take, Text: "a"}, Want: succeeds("two"),
		},
		{
			Name: "metadata are removed", Outer: before(Act{Do: Put, Text: "a", Value: same(1)}), Tool: after(Act{Do: Drop, Text: "a"}),
			Inner: after(Act{Do: Take, Text: "a"}), Want: succeeds(""),
		},
		{
			Name: "metadata keep what JSON has not", Outer: before(Act{Do: Put, Text: "a", Value: Value{&Own{42}, "new Own(42)"}}),
			Fn: Act{Do: Take, Text: "a"}, Want: succeeds("own 42"),
		},
		{
			Name: "metadata keep the type of a number", Outer: before(Act{Do: Put, Text: "a", Value: Value{Go: int64(42)}}), Only: InGo,
			Fn: Act{Do: Take, Text: "a"}, Inner: after(Act{Do: Take, Text: "a"}), Want: succeeds("int64 42"),
		},
	}
}

// Contracts is the table of what a contract must be.
func Contracts() []Contract {
	good := Texts{Name: "probe", Description: "Shows its input."}
	with := func(change func(t *Texts)) Texts {
		t := good
		change(&t)
		return t
	}
	named := func(name string) Texts { return with(func(t *Texts) { t.Name = name }) }
	const invalid = "is not valid: use 1 to 128 letters, digits, _, . or -"
	const notOfObject = `the schema of the tool probe must be of an object, with the type "object": agents send nothing else`
	const empty = "that is not empty: it tells the agent what the tool does"
	long := strings.Repeat("n", 129)
	schema := func(s string) Texts { return with(func(t *Texts) { t.InputSchema = s }) }
	return []Contract{
		{Name: "good", Tool: good},
		{Name: "all letters", Tool: named("Az09_-.")},
		{Name: "the longest name", Tool: named(long[1:])},
		{Name: "too long a name", Tool: named(long), Want: "the tool name " + long + " " + invalid},
		{Name: "no name", Tool: named(""), Want: "the tool name  " + invalid},
		{Name: "a space in the name", Tool: named("a b"), Want: "the tool name a b " + invalid},
		{Name: "another letter in the name", Tool: named("né"), Want: "the tool name né " + invalid},
		{Name: "no description", Tool: with(func(t *Texts) { t.Description = "" }), Want: "the tool probe needs a description " + empty},
		{Name: "a blank description", Tool: with(func(t *Texts) { t.Description = " \n" }), Want: "the tool probe needs a description " + empty},
		{
			Name: "a description that is not well-formed", Tool: with(func(t *Texts) { t.Description = "a\xff" }), Script: `{ description: 'a\ud800' }`,
			Want: "the description of the tool probe is not well-formed Unicode",
		},
		{Name: "a blank title", Tool: with(func(t *Texts) { t.Title = " " }), Want: "the tool probe needs a title " + empty},
		{
			Name: "a title that is not well-formed", Tool: with(func(t *Texts) { t.Title = "a\xff" }), Script: `{ title: 'a\ud800' }`,
			Want: "the title of the tool probe is not well-formed Unicode",
		},
		{Name: "good schemas", Tool: with(func(t *Texts) { t.InputSchema, t.OutputSchema = `{"type":"object"}`, ` {"type":"object"}` })},
		{Name: "a schema that is true", Tool: schema(`true`), Want: "the schema of the tool probe must be an object"},
		{Name: "a schema that is a list", Tool: schema(`[{}]`), Want: "the schema of the tool probe cannot be enforced: "},
		{Name: "an output schema that is a text", Tool: with(func(t *Texts) { t.OutputSchema = `"object"` }), Want: "the outputSchema of the tool probe must be an object"},
		{Name: "a schema that leaves the document", Tool: schema(`{"$ref":"https://example.com/x"}`), Want: "the schema of the tool probe cannot be enforced: "},
		{Name: "a schema that is no schema", Tool: schema(`{"type":"text"}`), Want: "the schema of the tool probe cannot be enforced: "},
		{Name: "a schema of a text", Tool: schema(`{"type":"string"}`), Want: notOfObject},
		{Name: "a schema of a list", Tool: schema(`{"type":"array","items":{}}`), Want: notOfObject},
		{Name: "a schema of an object or null", Tool: schema(`{"type":["object","null"]}`), Want: notOfObject},
		{Name: "a schema that names no type", Tool: schema(`{"maxProperties":9}`)},
		{Name: "a pattern that is none", Tool: schema(`{"pattern":"("}`), Want: "the schema of the tool probe cannot be enforced: "},
		{
			Name: "an output schema that cannot be enforced", Tool: with(func(t *Texts) { t.OutputSchema = `{"$dynamicRef":"#x"}` }),
			Want: "the outputSchema of the tool probe cannot be enforced: ",
		},
		{Name: "a schema that is no JSON", Tool: schema(`{`), Want: "the schema of the tool probe is not JSON: ", Only: InGo},
		{
			Name: "no function", Tool: good, Nothing: true, Want: "the tool probe has no handler",
			Except: []ContractDifference{{InScript[:1], "webmcp needs a function, not undefined", "JavaScript says it of webmcp(), where the name is not known yet."}},
		},
	}
}
