package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestAnApprovalOfAGoScopeLetsNoCallThrough(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		await webmcp(() => { ran.push('written'); return 'written'; }, { name: 'write', description: 'Writes.' }).register();
		await goapp.register('go'); // it is read-only
		ran.splice(0);
		goapp.approve();
	}`)
	denied := answerOf(t, p.Invoke("write", nil).Result())
	require.Equal(t, "APPROVAL_UNAVAILABLE", denied.Code)
	require.Equal(t, "Denied: this call needs the approval of the user, who cannot be asked now. Nothing was done. Tell the user", denied.Text)
	require.NotContains(t, webmcptest.Eval[[]string](p, `() => ran`), "written")
	require.Equal(t, "plain text", p.Ask("go", map[string]any{"do": "text"}))
	p.Do(`() => goapp.reset()`)
	require.Equal(t, "written", p.Ask("write", nil))
}

func TestThePageAsksAboutToolsOfGo(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		goapp.seeApproval();
		await goapp.register('go');
		webmcp.configure({ approval: { ask: ({ input }) => input.yes ? 'approve' : { decision: 'deny', reason: 'not now' } } });
		ran.splice(0);
	}`)
	require.Equal(t, "plain text", p.Ask("go", map[string]any{"do": "text", "yes": true}))
	require.Equal(t, []string{"true ask 64 true"}, webmcptest.Eval[[]string](p, `() => ran.splice(0).filter(line => line.includes('ask'))`))
	denied := answerOf(t, p.Invoke("go", map[string]any{"do": "text"}).Result())
	require.Equal(t, "USER_DENIED", denied.Code)
	require.Contains(t, denied.Text, "not now")
	ran := webmcptest.Eval[[]string](p, `() => ran`)
	require.NotContains(t, ran, "fn")
	require.Contains(t, ran, "false ask 64 true")
}
