package hooks

import (
	"errors"
	"strconv"
	"time"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// auditTime is how times are written.
const auditTime = "2006-01-02T15:04:05.000Z"

// MarshalJSON returns the entry as a page has it: times as ISO 8601, durations in
// milliseconds, and nothing of what is empty. With a line feed behind it, it is one of
// JSON lines.
func (e AuditEntry) MarshalJSON() ([]byte, error) {
	w := object{}
	w.text("time", e.Time.UTC().Format(auditTime))
	w.text("id", e.ID)
	w.text("tool", e.Tool)
	w.text("outcome", e.Outcome)
	w.optional("code", e.Code)
	w.value("executed", e.Executed)
	w.optional("rule", e.Rule)
	w.list("rules", e.Rules)
	if len(e.Reports) > 0 {
		reports := make([]any, len(e.Reports))
		for i, r := range e.Reports {
			of := object{}
			of.optional("rule", r.Rule)
			of.text("effect", r.Effect)
			of.optional("code", r.Code)
			reports[i] = of
		}
		w.value("reports", reports)
	}
	if a := e.Approval; a != nil {
		of, decision := object{}, "deny"
		if a.Approve {
			decision = "approve"
		}
		of.text("decision", decision)
		of.text("how", a.How)
		of.optional("by", a.By)
		of.text("at", a.At.UTC().Format(auditTime))
		of.value("waited", a.Waited.Milliseconds())
		of.value("edited", a.Edited)
		of.optional("digest", a.Digest)
		if e.Proof != nil {
			of.value("proof", e.Proof)
		}
		w.value("approval", of)
	}
	w.value("duration", float64(e.Duration.Round(100*time.Microsecond))/float64(time.Millisecond))
	w.value("inputBytes", e.InputBytes)
	w.value("outputBytes", e.OutputBytes)
	w.optional("input", e.Input)
	w.optional("changed", e.Changed)
	w.optional("output", e.Output)
	if len(e.Withheld) > 0 {
		w.list("withheld", e.Withheld)
	}
	return w.MarshalJSON()
}

// object is an object in JSON, whose members stay in order.
type object struct {
	members []byte
	err     error
}

// MarshalJSON returns the object.
func (o object) MarshalJSON() ([]byte, error) {
	return append(append([]byte{'{'}, o.members...), '}'), o.err
}

func (o *object) value(name string, v any) {
	if len(o.members) > 0 {
		o.members = append(o.members, ',')
	}
	o.members = append(jsontape.AppendString(o.members, name), ':')
	written, err := jsontape.Append(o.members, v)
	if err != nil {
		o.err = errors.Join(o.err, err)
	}
	o.members = written
}

func (o *object) text(name, s string) { o.value(name, s) }

func (o *object) optional(name, s string) {
	if s != "" {
		o.value(name, s)
	}
}

func (o *object) list(name string, items []string) {
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = item
	}
	o.value(name, list)
}

// ParseAuditEntry reads an entry from JSON, such as a line that a page has sent. What
// it does not know is dropped.
func ParseAuditEntry(text []byte) (e AuditEntry, err error) {
	var t jsontape.Tape
	if err := t.Parse(text); err != nil {
		return e, err
	}
	m, ok := t.Value(jsontape.Root).(map[string]any)
	if !ok {
		return e, errors.New("an entry of the audit log is an object")
	}
	str := func(m map[string]any, name string) string { s, _ := m[name].(string); return s }
	number := func(m map[string]any, name string) float64 { f, _ := m[name].(float64); return f }
	flag := func(m map[string]any, name string) bool { b, _ := m[name].(bool); return b }
	list := func(name string) (items []string) {
		all, _ := m[name].([]any)
		for _, item := range all {
			if s, ok := item.(string); ok {
				items = append(items, s)
			}
		}
		return items
	}
	at := func(m map[string]any, name string) time.Time {
		when, parsed := time.Parse(time.RFC3339, str(m, name))
		if parsed != nil {
			err = errors.New("the entry has no " + name + ": " + strconv.Quote(str(m, name)))
		}
		return when
	}
	const ms = float64(time.Millisecond)
	e = AuditEntry{
		Time: at(m, "time"), ID: str(m, "id"), Tool: str(m, "tool"), Outcome: str(m, "outcome"), Code: str(m, "code"), Executed: flag(m, "executed"),
		Rule: str(m, "rule"), Rules: list("rules"), Duration: time.Duration(number(m, "duration") * ms),
		InputBytes: int(number(m, "inputBytes")), OutputBytes: int(number(m, "outputBytes")),
		Input: str(m, "input"), Changed: str(m, "changed"), Output: str(m, "output"), Withheld: list("withheld"),
	}
	reports, _ := m["reports"].([]any)
	for _, report := range reports {
		r, _ := report.(map[string]any)
		e.Reports = append(e.Reports, AuditReport{str(r, "rule"), str(r, "effect"), str(r, "code")})
	}
	if a, ok := m["approval"].(map[string]any); ok {
		e.Approval = &Decided{
			Approve: str(a, "decision") == "approve", How: str(a, "how"), By: str(a, "by"), At: at(a, "at"),
			Waited: time.Duration(number(a, "waited") * ms), Edited: flag(a, "edited"), Digest: str(a, "digest"),
		}
		e.Proof = a["proof"]
	}
	return e, err
}
