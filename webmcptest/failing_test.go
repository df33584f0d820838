package webmcptest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// trial is a test within a test, which may fail.
type trial struct {
	testing.TB
	name     string
	failed   bool
	said     []string
	cleanups []func()
}

func (f *trial) Helper()                   {}
func (f *trial) Name() string              { return f.name }
func (f *trial) Failed() bool              { return f.failed }
func (f *trial) Cleanup(c func())          { f.cleanups = append(f.cleanups, c) }
func (f *trial) Logf(s string, a ...any)   { f.said = append(f.said, fmt.Sprintf(s, a...)) }
func (f *trial) Errorf(s string, a ...any) { f.failed = true; f.Logf(s, a...) }
func (f *trial) Fatal(a ...any)            { f.Errorf("%s", fmt.Sprint(a...)); runtime.Goexit() }
func (f *trial) Fatalf(s string, a ...any) { f.Errorf(s, a...); runtime.Goexit() }

// try runs a test that may fail, and returns it when it has ended.
func try(t *testing.T, test func(tb testing.TB)) *trial {
	t.Helper()
	f := &trial{TB: t, name: t.Name() + "/it's: <a trial>"}
	run := func(f2 func()) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			f2()
		}()
		<-done
	}
	run(func() { test(f) })
	for _, cleanup := range slices.Backward(f.cleanups) {
		run(cleanup)
	}
	return f
}

func TestAProblemFailsTheTestAndLeavesTraces(t *testing.T) {
	t.Parallel()
	artifacts := t.TempDir()
	url := serve(t)
	f := try(t, func(tb testing.TB) {
		p := webmcptest.New(tb, webmcptest.Options{Artifacts: artifacts})
		p.Open(url)
		p.About("case %d", 7)
		p.Do(`() => { console.log('a line'); setTimeout(() => { throw new Error('nobody catches this') }) }`)
	})
	require.True(t, f.failed)
	said := strings.Join(f.said, "\n")
	require.Contains(t, said, "the page caused: Uncaught Error: nobody catches this")
	require.Contains(t, said, "the last case was: case 7")
	dir := filepath.Join(artifacts, filepath.FromSlash(t.Name()), "it_s___a_trial_")
	require.Contains(t, said, dir)
	picture, err := os.ReadFile(filepath.Join(dir, "screenshot.png"))
	require.NoError(t, err)
	require.Equal(t, "\x89PNG", string(picture[:4]))
	console, err := os.ReadFile(filepath.Join(dir, "console.log"))
	require.NoError(t, err)
	require.Contains(t, string(console), "log: a line\n")
}

func TestAStepInVainSaysWhatWasThere(t *testing.T) {
	t.Parallel()
	url := serve(t)
	for name, c := range map[string]struct {
		step func(p *webmcptest.Page)
		says []string
	}{
		"tools":      {func(p *webmcptest.Page) { p.AwaitTools("b", "a") }, []string{`exactly the tools ["a" "b"]`, `the agent sees ["there"]`, url}},
		"tool":       {func(p *webmcptest.Page) { p.Invoke("a", nil) }, []string{"the tool a", `the agent sees ["there"]`, url}},
		"answer":     {func(p *webmcptest.Page) { p.Invoke("there", nil).Result() }, []string{"the answer of there", "still running"}},
		"element":    {func(p *webmcptest.Page) { p.Click("button", "Goo") }, []string{`exactly one button "Goo"`, `there are 0`, `button "Go"`}},
		"role":       {func(p *webmcptest.Page) { p.Find("slider", "") }, []string{`slider ""`, `textbox "Name"`}},
		"gone":       {func(p *webmcptest.Page) { p.AwaitGone("button", "Go") }, []string{`no button "Go"`, `there are 1`}},
		"covered":    {func(p *webmcptest.Page) { p.Do(cover); p.Click("button", "Go") }, []string{`button "Go"`, `covered by <div id="cover"`}},
		"disabled":   {func(p *webmcptest.Page) { p.Do(`() => { go.disabled = true }`); p.Click("button", "Go") }, []string{`it is disabled`}},
		"condition":  {func(p *webmcptest.Page) { p.WaitFor(`document.title === 'x'`, `document.title`) }, []string{`document.title === 'x'`, "document.title is No library"}},
		"throw":      {func(p *webmcptest.Page) { p.WaitFor(`nothing.x`) }, []string{"nothing is not defined"}},
		"script":     {func(p *webmcptest.Page) { p.Do(`() => { throw new Error('bad') }`) }, []string{"bad", "by () =>"}},
		"busy":       {func(p *webmcptest.Page) { p.Do(`() => new Promise(() => {})`) }, []string{"have passed"}},
		"frame":      {func(p *webmcptest.Page) { p.Frame("x") }, []string{`exactly one frame "x"`, "0 of 0"}},
		"no object":  {func(p *webmcptest.Page) { p.Invoke("there", []int{1}) }, []string{"JSON object", "[1]"}},
		"an answer":  {func(p *webmcptest.Page) { p.Do(answer); p.Invoke("yes", nil).Err() }, []string{"yes should not have answered", "fine"}},
		"an error":   {func(p *webmcptest.Page) { p.Do(answer); p.Ask("no", nil) }, []string{"no answers with an error: refused"}},
		"expected":   {func(p *webmcptest.Page) { p.Expect("a problem") }, []string{"never caused the expected: a problem"}},
		"navigation": {func(p *webmcptest.Page) { p.Open("http://localhost:0/") }, []string{"open http://localhost:0/", "net::ERR_"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := try(t, func(tb testing.TB) {
				o := webmcptest.Options{Artifacts: t.TempDir(), Timeout: time.Minute}
				p := webmcptest.New(tb, o)
				p.Open(url)
				p.Do(`() => document.modelContext.registerTool({ name: 'there', description: 'x', execute: () => new Promise(() => {}) })`)
				p.AwaitTools("there")
				c.step(p.Within(time.Second))
			})
			require.True(t, f.failed)
			for _, part := range c.says {
				require.Contains(t, f.said[0], part)
			}
		})
	}
}

const (
	cover  = `() => { const div = document.createElement('div'); div.id = 'cover'; document.body.append(div); Object.assign(div.style, { position: 'fixed', inset: 0 }) }`
	answer = `async () => {
		const tool = (name, value) => document.modelContext.registerTool({ name, description: name, execute: () => value });
		await tool('yes', 'fine');
		await tool('no', { isError: true, content: [{ type: 'text', text: 'refused' }] });
	}`
)

func TestAPageIsAsNewForTheNextTest(t *testing.T) {
	t.Parallel()
	url := serve(t)
	// No other test has a browser like this, so its pages are these.
	o := webmcptest.Options{}
	o.Browser.Flags = []string{"lang=en-GB"}
	for range 2 {
		f := try(t, func(tb testing.TB) {
			p := webmcptest.New(tb, o)
			p.OnNewDocument(`window.injected = (window.injected ?? 0) + 1`)
			p.Open(url)
			require.Equal(t, map[string]any{"stored": nil, "cookie": "", "injected": 1.0, "width": 1280.0, "dark": false, "touch": false}, webmcptest.Eval[map[string]any](p, `() => ({
				stored: localStorage.getItem('x'), cookie: document.cookie, injected, width: innerWidth,
				dark: matchMedia('(prefers-color-scheme: dark)').matches, touch: matchMedia('(pointer: coarse)').matches })`))
			for _, line := range p.Console() {
				require.Contains(t, line, "/favicon.ico", "the browser itself asks for it")
			}
			p.Do(`() => { localStorage.setItem('x', 1); document.cookie = 'a=1'; console.log('x') }`)
			p.Phone(320, 600)
			p.ColorScheme("dark")
			require.True(t, webmcptest.Eval[bool](p, `() => outerWidth === 320 && matchMedia('(pointer: coarse)').matches`))
		})
		require.False(t, f.failed, f.said)
	}
}
