package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// command runs the command where there are these files.
func command(t *testing.T, files map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(".", name), []byte(text), 0o644))
	}
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

var files = map[string]string{
	"policy.json": `{"webmcp": 1, "rules": [
		{"tools": "*", "rate": "30/min", "timeout": "20s"},
		{"tools": "checkout", "name": "large orders", "when": {"properties": {"total": {"exclusiveMinimum": 500}}}, "deny": "Orders over 500 EUR are placed by people.", "code": "TOO_MUCH"},
		{"tools": "checkout", "approval": true, "unless": {"context": {"properties": {"role": {"const": "admin"}}}}}]}`,
	"trial.json": `{"webmcp": 1, "mode": "report", "rules": [{"tools": {"hint": "consequential"}, "deny": true}]}`,
	"wrong.json": `{"webmcp": 1, "rules": [{"tools": "*", "aproval": true}], "mod": "report"}`,
}

func TestCheckSaysWhatIsWrong(t *testing.T) {
	code, out, errs := command(t, files, "check", "policy.json", "trial.json")
	require.Equal(t, []any{0, "policy.json: ok\ntrial.json: ok\n", ""}, []any{code, out, errs})
	code, out, errs = command(t, files, "check", "policy.json", "wrong.json")
	require.Equal(t, []any{1, "policy.json: ok\n"}, []any{code, out})
	require.Equal(t, `wrong.json: /rules/0/aproval: is not known here: did you mean approval?
wrong.json: /mod: is not known here: did you mean mode?
wrong.json: /rules/0: must be a rule with an effect: deny, approval, rate, concurrency, timeout, maxInputBytes, maxOutputBytes, redact or audit, got {"tools": "*", "aproval": true}
`, errs)
	code, _, errs = command(t, files, "check", "missing.json")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "missing.json")
}

func TestExplainSaysWhatWouldHappenToACall(t *testing.T) {
	code, out, errs := command(t, files, "explain", "-tool", "checkout", "-hints", "consequential", "policy.json", "trial.json", "-input", `{"total": 600}`)
	require.Empty(t, errs)
	require.Equal(t, 4, code)
	require.Equal(t, `checkout: denied
  TOO_MUCH: Orders over 500 EUR are placed by people. (large orders)

policy.json#/rules/0: applies
  rate "30/min"
  timeout "20s"

large orders: applies
  when: met
  deny "Orders over 500 EUR are placed by people."
  code "TOO_MUCH"

policy.json#/rules/2: applies
  unless: unknown, counts as not met
  approval true

trial.json#/rules/0: applies, only reports
  deny true

Would have been, by rules that only report:
  deny POLICY_DENIED (trial.json#/rules/0)
`, out)
	code, out, _ = command(t, files, "explain", "-tool", "checkout", "-input", `{"total": 6}`, "policy.json")
	require.Equal(t, 3, code)
	require.Contains(t, out, "checkout: allowed if a human approves\n\n")
	code, out, _ = command(t, files, "explain", "-tool", "checkout", "-input", `{"total": 6}`, "-context", `{"role": "admin"}`, "-json", "policy.json")
	require.Equal(t, 0, code)
	require.Contains(t, out, `"outcome":"allow"`)
}

func TestWhatCannotBeUnderstoodIsSaid(t *testing.T) {
	for want, args := range map[string][]string{
		"Usage:\n": {}, "  policy check FILE": {"chek"}, "policy explain": {"check"},
		"it needs -tool and a file":         {"explain", "policy.json"},
		"there is no hint safe":             {"explain", "-tool", "a", "-hints", "safe", "policy.json"},
		"-input invalid JSON":               {"explain", "-tool", "a", "-input", "{", "policy.json"},
		"-context invalid JSON":             {"explain", "-tool", "a", "-context", "x", "policy.json"},
		"flag provided but not defined: -x": {"explain", "-x"},
		"missing.json":                      {"explain", "-tool", "a", "missing.json"},
	} {
		code, _, errs := command(t, files, args...)
		require.Equal(t, 2, code, args)
		require.Contains(t, errs, want)
	}
	code, _, errs := command(t, files, "explain", "-tool", "a", "wrong.json")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "/mod: is not known here")
}
