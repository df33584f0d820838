package glue

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// code returns all files of the glue, without the comments at their tops.
func code(t *testing.T) string {
	var all strings.Builder
	for _, name := range parts {
		all.WriteString(source(t, name))
	}
	return all.String()
}

func TestAConstantThatNobodyDeclaresFails(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"if (event === DONNE) return;",
		"  this.glue.native(LISTEN_TO, () => {});",
		"const [a, b] = [DONE, ABORTED]; // that is ABORT",
		"return `${NO_SUCH}`;",
	} {
		require.Error(t, checkConstants([]byte(text)), text)
	}
	for _, text := range []string{
		"const OWN = 3;\nif (event === DONE && JSON.parse(a) === OWN) return;",
		"// DONNE is a mistake",
		"  /** DONNE is a mistake */\n   * and so is ABORTED",
		"return 'DONNE'; // not DONE",
		"return 'it\\'s DONNE';",
		"return module.DONNE;",
	} {
		require.NoError(t, checkConstants([]byte(text)), text)
	}
}

func TestTheGlueHasItsNumbersFromGo(t *testing.T) {
	t.Parallel()
	joined, err := joinExec()
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(joined, declarations(joined)))

	all := code(t)
	used := constantsIn(all)
	given := map[string]bool{}
	for name := range knownConstants(nil) {
		require.Contains(t, used, name, "no file of the glue needs %s", name)
		require.NotRegexp(t, `(?:const|let|var|,)\s+`+name+`\s*=[^=]`, all, "%s is declared once more", name)
		given[name] = true
	}
	require.Len(t, given, len(numbers)+len(names)+len(texts.ForGlue), "Go gives two constants the same name")
}

// The numbers that the glue declares itself are those that Go does not know.
func TestTheGlueDeclaresFewNumbersItself(t *testing.T) {
	t.Parallel()
	var own []string
	for _, m := range regexp.MustCompile(`(?m)\b([A-Z][A-Z0-9_]+) = -?\d`).FindAllStringSubmatch(code(t), -1) {
		own = append(own, m[1])
	}
	slices.Sort(own)
	require.Equal(t, []string{"BEACON_BYTES", "BEACON_ENTRIES", "BEACON_ROOM", "BEACON_WAIT", "DEEPEST_INDENT", "ES256", "FETCH_WAIT", "HASH_LENGTH", "LAST_SECONDS", "LOG_SIZE", "LOG_TEXT", "LONG_TEXT", "LOOK_EVERY", "MANY_POSITIONS", "MANY_STEPS", "MAX_BEACON_WAIT", "MAX_IDLE", "MAX_LOG_SIZE", "MAX_LOG_TEXT", "MAX_MESSAGE", "MAX_TEXT", "MAX_TIMER", "NONCE_LENGTH", "PENDING", "SHORT", "SMALL", "USER_PRESENT", "USER_VERIFIED"}, own)
}

// What an exported function takes or returns must be a name, a boolean or what
// is counted: a number that stands for something would drift.
func TestNoNumberThatStandsForSomethingGoesToGo(t *testing.T) {
	t.Parallel()
	all := code(t)
	calls := regexp.MustCompile(`(?:exports\.webmcp_\w+|glue\.host|\bnative)\(.*`).FindAllString(all, -1)
	require.Greater(t, len(calls), 20)
	for _, call := range calls {
		require.NotRegexp(t, `[(,?:] *-?\d+ *[,:)]`, call)
		require.NotRegexp(t, `[!=]== *-?\d`, call)
	}
	require.NotRegexp(t, `\bstep (?:&|>>>) \d|\bcase -?\d`, all)
}
