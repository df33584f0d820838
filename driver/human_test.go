package driver_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
)

func TestTheHumanReachesClosedShadowRootsAndFrames(t *testing.T) {
	t.Parallel()
	const listening = `<script>addEventListener('click', e => { document.title += e.isTrusted + ':' + (e.composedPath()[0].id || e.target.localName) + ';' }, true)</script>`
	far := `<div style="height: 3000px"></div>`
	p := newPage(t)
	require.NoError(t, p.Open(within(t), serve(t, map[string]string{
		"/": listening + `<div id=host></div><script>
			const root = host.attachShadow({ mode: 'closed' });
			root.innerHTML = '<p><button id=inside><span>In</span>side</button><x-slotted><em>x</em></x-slotted>';
			const inner = root.querySelector('x-slotted').attachShadow({ mode: 'closed' });
			inner.innerHTML = '<button id=slotted><slot></slot> slot</button>';
		</script>` + far + `<iframe name=near style="border: 7px solid; padding: 5px; margin-left: 300px" src=/near></iframe>
			<iframe name=other style="border: 9px solid" src="OTHER/other"></iframe>`,
		"/near":  listening + far + `<button id=n>Near</button>` + far,
		"/other": listening + far + `<button id=o>Other</button>` + `<iframe src="OTHER/deep"></iframe>`,
		"/deep":  listening + `<button id=d style="margin: 50px">Deep</button>`,
	})+"/"))
	ctx := within(t)
	for _, name := range []string{"Inside", "x slot", "Near", "Other", "Deep"} {
		require.NoError(t, p.Click(ctx, "button", name), name)
	}
	require.NoError(t, driver.Await(ctx, p, `document.title === 'true:host;true:host;'`, "document.title"))
	for frame, want := range map[string]string{"near": "true:n;", "other": "true:o;", "deep": "true:d;"} {
		f, err := p.Frame(ctx, "/"+frame)
		require.NoError(t, err)
		require.NoError(t, driver.Await(ctx, f, `document.title === '`+want+`'`, "document.title"), frame)
		n, err := driver.Count(ctx, f, "button", "")
		require.NoError(t, err)
		require.Equal(t, 1, n, "a frame is searched alone")
	}
}

func TestTheHumanWaitsForWhatMovesAndFindsAnewWhatIsReplaced(t *testing.T) {
	t.Parallel()
	p := open(t, `<style>
			@keyframes in { from { translate: 400px } } #a { animation: in 300ms linear 200ms backwards }
			@keyframes out { to { opacity: .5 } } #f { animation: out 1h }
			@keyframes pulse { to { scale: 1.0 } } #p { animation: pulse 1s infinite }
			#h:hover { translate: 0 30px; transition: translate 200ms } #h { padding: 40px 0 }
		</style>
		<div id=a><button>Moving</button></div>
		<button id=f>Fading</button>
		<button id=p>Pulsing</button>
		<button id=h>Fleeing</button>
		<button id=b disabled>Later</button>
		<script>
			setTimeout(() => { b.disabled = false }, 200);
			let n = 0;
			const again = setInterval(() => {
				if (n++ === 5) clearInterval(again);
				const next = document.createElement('button');
				next.textContent = 'Replaced'; next.id = 'r';
				globalThis.r?.remove(); document.body.append(next);
			}, 30);
			let hits = '';
			addEventListener('click', e => { document.title = hits += e.target.textContent + ' ' });
		</script>`)
	ctx := within(t)
	want := ""
	for _, name := range []string{"Moving", "Fading", "Pulsing", "Fleeing", "Later", "Replaced"} {
		require.NoError(t, p.Click(ctx, "button", name))
		want += name + " "
		require.NoError(t, driver.Await(ctx, p, "hits === '"+want+"'", "hits"))
	}
}

func TestADialogOfTheBrowserStopsNobody(t *testing.T) {
	t.Parallel()
	p := open(t, "")
	ctx := within(t)
	got, err := driver.Eval[[]any](ctx, p, `() => [alert('hello'), confirm('sure?'), prompt('what?')]`)
	require.NoError(t, err)
	require.Equal(t, []any{nil, false, nil}, got)
	require.Subset(t, p.Console(), []string{"dialog: hello", "dialog: sure?", "dialog: what?"})
}

func TestAttachSharesTheTabOfAChromedpProgram(t *testing.T) {
	t.Parallel()
	b, err := browser()
	require.NoError(t, err)
	tab, closeTab := chromedp.NewContext(b.Context())
	defer closeTab()
	url := serve(t, map[string]string{"/": tool("a", "() => 'yes'") + `<button onclick="document.title = 'clicked'">Go</button>`})
	require.NoError(t, chromedp.Do(tab, chromedp.Navigate(url)))

	p, err := driver.Attach(tab)
	require.NoError(t, err)
	_, err = p.AwaitTools(within(t), "a")
	require.NoError(t, err, "tools that were there already are seen")
	require.Equal(t, "yes", text(t, p, "a"))
	require.NoError(t, p.Click(within(t), "button", "Go"))
	p.Close()
	title, err := chromedp.Run(tab, chromedp.Title())
	require.NoError(t, err, "the tab belongs to its program")
	require.Equal(t, "clicked", title)
	_, err = p.Tools(within(t))
	require.ErrorContains(t, err, "closed")

	_, err = driver.Attach(context.Background())
	require.ErrorContains(t, err, "chromedp.NewContext")
}

func TestABrowserThatCannotBeStartedSaysWhy(t *testing.T) {
	t.Setenv("CHROME", "/no/such/browser")
	_, err := driver.Start(within(t), driver.Options{})
	require.ErrorContains(t, err, "CHROME=/no/such/browser")
	t.Setenv("CHROME", "/bin/false")
	_, err = driver.Start(within(t), driver.Options{})
	require.ErrorContains(t, err, "/bin/false")
	t.Setenv("CHROME", "")
	t.Setenv("PATH", t.TempDir())
	_, err = driver.FindBrowser()
	require.ErrorIs(t, err, driver.ErrNoBrowser)
}

func TestASandboxIsDoneWithoutWhereThereIsNone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the browser of this test is a shell script")
	}
	real, err := driver.FindBrowser()
	require.NoError(t, err)
	dir := t.TempDir()
	path := filepath.Join(dir, "browser")
	require.NoError(t, os.WriteFile(path, []byte(`#!/bin/sh
if [ ! -e '`+dir+`/tried' ]; then
	touch '`+dir+`/tried'
	echo '[1:1:FATAL:zygote_host_impl_linux.cc(126)] No usable sandbox! Update your kernel' >&2
	exit 1
fi
echo "$@" > '`+dir+`/arguments'
exec '`+real+`' "$@"
`), 0o755))
	b, err := driver.Start(within(t), driver.Options{Path: path})
	require.NoError(t, err)
	b.Close()
	arguments, err := os.ReadFile(filepath.Join(dir, "arguments"))
	require.NoError(t, err)
	require.Contains(t, string(arguments), "--no-sandbox")
}

func TestPagesShareNothing(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]string{"/": "x"})
	for range 2 {
		p := newPage(t)
		require.NoError(t, p.Open(within(t), url))
		stored, err := driver.Eval[any](within(t), p, `() => { const was = localStorage.x ?? null; localStorage.x = 1; return was }`)
		require.NoError(t, err)
		require.Nil(t, stored)
	}
}
