package cases

import "github.com/webmcp-wasm/webmcp/internal/texts"

// approvals: what policies say of a call, and what the human is asked.
func approvals() []Case {
	const asked = `asked Pay?|Pays 1.|For good. {"n":1}`
	verdict := func(text string) Act { return Act{Do: Judge, Text: text} }
	when := func(act Act) Hooks { return Hooks{Approval: []Policy{{When: act}}} }
	says := func(p Policy) Hooks { return Hooks{Approval: []Policy{p}} }
	full := Policy{Title: "Pay?", Describe: Act{Do: Judge, Text: "Pays 1."}, Details: Act{Do: Judge, Text: "For good."}}
	question := func(q string) string { return "asked " + q + ` {"n":1}` }
	runs := func(judged, again, saw string) Want { // and judged again, once the human has approved
		return Want{text(`{"n":1}`), ranBefore + judged + again + " fn tool.after inner.after outer.after", saw}
	}
	no := func(judged, code, message, saw string) Want {
		want := denied(ranBefore+judged, code, message, `{"n":1}`)
		if saw != "" {
			want.Saw = saw + "; " + want.Saw
		}
		return want
	}
	undecidable := func(judged string) Want {
		return Want{
			refused("Error: "+texts.ApprovalPolicyError, texts.ApprovalPolicyErrorCode, false), ranBefore + judged + ranError,
			"NotAllowedError: " + texts.ApprovalPolicyError,
		}
	}
	const general = "the call was denied, and nothing was done"
	return []Case{
		{
			Name: "a human approves", Human: "approve", Tool: says(full),
			Want: runs(" tool.describe tool.details", "", asked),
		},
		{
			Name: "a human denies", Human: "not today", Tool: says(full),
			Want: no(" tool.describe tool.details", "USER_DENIED", "the user did not approve this call, and says: not today. Nothing was done. Do not try it again unchanged", asked),
		},
		{Name: "all policies allow", Outer: when(verdict("allow")), Tool: when(verdict("allow")), Want: runs(" outer.when tool.when", "", "")},
		{
			Name: "a policy asks, and is asked again", Human: "approve", Tool: when(verdict("ask")),
			Want: runs(" tool.when", " tool.when", question("||")),
		},
		{
			Name: "an outer policy asks where inner ones allow", Human: "approve", Outer: when(verdict("ask")), Inner: when(verdict("allow")), Tool: when(verdict("allow")),
			Want: runs(" outer.when inner.when tool.when", " outer.when inner.when tool.when", question("||")),
		},
		{
			Name: "an inner policy asks where outer ones allow", Human: "approve", Outer: when(verdict("allow")), Tool: says(full),
			Want: runs(" outer.when tool.describe tool.details", " outer.when", asked),
		},
		{
			Name: "the innermost title, sentence and details are shown, each on its own", Human: "approve",
			Outer: says(full), Inner: says(Policy{Title: "Now?", Details: Act{Do: Judge, Text: "Really."}}), Tool: says(Policy{}),
			Want: runs(" outer.describe inner.details", "", question("Now?|Pays 1.|Really.")),
		},
		{
			Name: "what a policy that allows would show is not asked for", Human: "approve", Outer: says(full),
			Tool: says(Policy{When: verdict("allow"), Title: "No?", Describe: Act{Do: Judge, Text: "No."}}),
			Want: runs(" tool.when outer.describe outer.details", " tool.when", asked),
		},
		{Name: "a policy denies", Tool: when(verdict("deny")), Want: no(" tool.when", "DENIED", general, "")},
		{
			Name: "a policy denies what an outer one asks about", Outer: says(full), Tool: when(verdict("deny")),
			Want: no(" tool.when", "DENIED", general, ""),
		},
		{
			Name: "an outer policy denies before the inner one is asked", Outer: when(verdict("deny")), Tool: when(verdict("allow")),
			Want: no(" outer.when", "DENIED", general, ""),
		},
		{
			Name: "a policy denies with a code", Tool: when(Act{Do: Deny, Code: "TOO_MUCH", Text: "that is too much"}),
			Want: no(" tool.when", "TOO_MUCH", "that is too much", ""),
		},
		{Name: "a policy denies with a message alone", Tool: when(Act{Do: Deny, Text: "no"}), Want: no(" tool.when", "DENIED", "no", "")},
		{Name: "a policy fails", Tool: when(Act{Do: Fail, Text: "SECRET"}), Want: undecidable(" tool.when")},
		{Name: "a policy says what is no verdict", Tool: when(verdict("maybe")), Want: undecidable(" tool.when")},
		{Name: "a policy panics", Tool: when(Act{Do: Panic}), Only: InGo, Want: undecidable(" tool.when")},
		{Name: "a policy ends its goroutine", Tool: when(Act{Do: Goexit}), Only: InGo, Want: undecidable(" tool.when")},
		{
			Name: "a policy changes the input", Human: "approve", Tool: when(Act{Do: Set, Value: same(map[string]any{"n": 2})}), Only: InGo,
			Want: runs(" tool.when", " tool.when", question("||")),
		},
		{Name: "a sentence panics", Tool: says(Policy{Describe: Act{Do: Panic}}), Only: InGo, Want: undecidable(" tool.describe")},
		{Name: "a sentence ends its goroutine", Tool: says(Policy{Describe: Act{Do: Goexit}}), Only: InGo, Want: undecidable(" tool.describe")},
		{Name: "a sentence throws", Tool: says(Policy{Describe: Act{Do: Fail, Text: "SECRET"}}), Only: InScript, Want: undecidable(" tool.describe")},
		{Name: "details panic", Tool: says(Policy{Details: Act{Do: Panic}}), Only: InGo, Want: undecidable(" tool.details")},
		{
			Name: "a policy is not about the tool", Human: "approve",
			Outer: says(Policy{Only: "consequential", Title: "No?"}), Tool: says(Policy{Only: "writes", Title: "Yes?"}),
			Want: runs("", "", question("Yes?||")),
		},
		{
			Name: "a policy leaves metadata for the function", Tool: Hooks{Approval: []Policy{{When: Act{Do: Put, Text: "seen", Value: same("yes")}}}}, Human: "approve",
			Fn: Act{Do: Take, Text: "seen"}, Want: Want{text("yes"), ranBefore + " tool.when tool.when fn tool.after inner.after outer.after", question("||")},
		},
		{
			Name: "nobody is asked about an input that the schema refuses", Schema: `{"type":"object","properties":{"n":{"type":"string"}}}`, Tool: says(full),
			Want: failed(ranBefore, "ValidationError", "invalid input: n: must be a string, got 1"),
		},
		{
			Name: "nobody is asked about a call that a hook denies", Tool: Hooks{Before: []Act{{Do: Deny, Code: "NO", Text: "no"}}, Approval: []Policy{full}},
			Want: denied(ranBefore, "NO", "no", `{"n":1}`),
		},
	}
}
