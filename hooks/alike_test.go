package hooks_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/policy"
)

// alike is the table of what the constructors do, which those of JavaScript pass too:
// see wasm/hooks/alike_test.go.
type alike struct {
	Masks []struct {
		Name         string
		Rules        map[string]string
		Output, Want string // JSON
		TextOnly     bool   // it has numbers that are others, or are written in another way, as values
	}
	Unreadable []struct{ Name, Text string }
	Results    []struct {
		Name, Output string
		Want         string // empty: it is unreadable
	}
	Rates []struct {
		Name, Rate, Of string
		Calls          [][3]any // milliseconds, tool, and why it is refused
	}
	Rate  struct{ Right, Wrong []string }
	Rules struct{ Wrong []map[string]string }
}

func table(t testing.TB) (all alike) {
	t.Helper()
	text, err := os.ReadFile("testdata/alike.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &all))
	return all
}

// redact runs the hook of hooks.Redact alone.
func redact(rules map[string]string, output any) (any, error) {
	c := hooks.Call{Output: output}
	err := hooks.Redact(rules).After[0](context.Background(), &c)
	return c.Output, err
}

var hash = regexp.MustCompile(`#[0-9a-f]{16}`)

func TestRedactMasksAsTheTableSays(t *testing.T) {
	t.Parallel()
	for _, m := range table(t).Masks {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			same := func(want string, got any) {
				t.Helper()
				// The key of hashes is another one in each program.
				require.Equal(t, hash.ReplaceAllString(want, "#"), hash.ReplaceAllString(got.(string), "#"))
			}
			got, err := redact(m.Rules, m.Output)
			require.NoError(t, err)
			same(m.Want, got)
			if m.Output == "" || m.TextOnly {
				return
			}
			var value any
			require.NoError(t, json.Unmarshal([]byte(m.Output), &value))
			if _, isText := value.(string); isText {
				return // it would be JSON again
			}
			got, err = redact(m.Rules, value)
			require.NoError(t, err)
			said, err := json.Marshal(got)
			require.NoError(t, err)
			require.JSONEq(t, hash.ReplaceAllString(m.Want, "#"), hash.ReplaceAllString(string(said), "#"))

			for _, result := range []string{
				`{"content":[{"type":"text","text":` + quote(m.Output) + `}]}`,
				`{"content":[],"structuredContent":` + m.Output + `}`,
			} {
				var value map[string]any
				require.NoError(t, json.Unmarshal([]byte(result), &value))
				got, err := redact(m.Rules, value)
				require.NoError(t, err)
				if content := got.(hooks.Result); len(content.Content) > 0 {
					same(m.Want, content.Text())
				} else {
					said, err := json.Marshal(content.More["structuredContent"])
					require.NoError(t, err)
					require.JSONEq(t, hash.ReplaceAllString(m.Want, "#"), hash.ReplaceAllString(string(said), "#"))
				}
			}
		})
	}
}

// The hashes of the table have this key.
func TestTheHashesOfTheTableAreThoseOfPolicies(t *testing.T) {
	t.Parallel()
	var key policy.Key
	for i := range key {
		key[i] = byte(i)
	}
	for _, m := range table(t).Masks {
		if !hash.MatchString(m.Want) {
			continue
		}
		rules, err := json.Marshal(m.Rules)
		require.NoError(t, err)
		d, err := policy.Parse([]byte(`{"webmcp": 1, "rules": [{"tools": "*", "redact": `+string(rules)+`}]}`), policy.Options{})
		require.NoError(t, err)
		var c policy.Check
		c.Start(policy.New(key, d).Plan(policy.Tool{}), 0, -1, nil)
		out, err := c.Redact(nil, []byte(`{"content":[],"structuredContent":`+m.Output+`}`))
		require.NoError(t, err)
		require.Equal(t, `{"content":[],"structuredContent":`+m.Want+`}`, string(out))
	}
}

func TestRedactLetsNothingOutThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, u := range table(t).Unreadable {
		got, err := redact(map[string]string{"/email": "remove"}, u.Text)
		require.Error(t, err, u.Name)
		require.NotContains(t, err.Error(), "ada", u.Name)
		require.Empty(t, got, u.Name)
	}
}

func TestRedactMasksResultsAsTheTableSays(t *testing.T) {
	t.Parallel()
	for _, r := range table(t).Results {
		var value any
		require.NoError(t, json.Unmarshal([]byte(r.Output), &value))
		got, err := redact(map[string]string{"/email": "remove"}, value)
		if r.Want == "" {
			require.Error(t, err, r.Name)
			require.NotContains(t, err.Error(), "ada", r.Name)
			continue
		}
		require.NoError(t, err, r.Name)
		said, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, r.Want, string(said), r.Name)
	}
}

func TestRateLimitCountsAsTheTableSays(t *testing.T) {
	t.Parallel()
	for _, r := range table(t).Rates {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				hook := hooks.RateLimit(r.Rate, map[string]hooks.Of{"tool": hooks.EachTool, "all": hooks.AllTools}[r.Of]).Before[0]
				for _, call := range r.Calls {
					at := time.Duration(call[0].(float64)) * time.Millisecond
					time.Sleep(at - time.Since(start)) // the clock of the bubble jumps
					err := hook(t.Context(), &hooks.Call{Tool: hooks.Contract{Name: call[1].(string)}, Metadata: new(hooks.Metadata)})
					if call[2] == "" {
						require.NoError(t, err, "%v", call)
						continue
					}
					require.Equal(t, &hooks.Denial{Code: "RATE_LIMITED", Message: call[2].(string)}, hooks.AsDenial(err), "%v", call)
				}
			})
		})
	}
}

func TestTheConstructorsRefuseWhatTheTableRefuses(t *testing.T) {
	t.Parallel()
	all := table(t)
	for _, of := range []hooks.Of{hooks.EachTool, hooks.AllTools} {
		for _, rate := range all.Rate.Right {
			require.NotPanics(t, func() { hooks.RateLimit(rate, of) }, rate)
		}
		for _, rate := range all.Rate.Wrong {
			require.Panics(t, func() { hooks.RateLimit(rate, of) }, rate)
		}
	}
	for _, rules := range all.Rules.Wrong {
		require.Panics(t, func() { hooks.Redact(rules) }, "%v", rules)
	}
}
