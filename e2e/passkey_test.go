package e2e

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// watched notes in window.prompts each prompt for a passkey that the library's code
// asks for, before that is loaded. window.meddle may change what is asked.
const watched = `
	window.prompts = [];
	window.meddle = () => {};
	const { get } = CredentialsContainer.prototype;
	CredentialsContainer.prototype.get = function (options) {
		const prompt = { aborted: false };
		prompts.push(prompt);
		options.signal.addEventListener('abort', () => { prompt.aborted = true; });
		meddle(options.publicKey);
		return get.call(this, options);
	};
`

// passkeyPage opens a page as approvalPage does, with an authenticator, where the host
// has a name: passkeys want one.
func passkeyPage(t *testing.T) (*webmcptest.Page, *authenticator) {
	t.Helper()
	p := newPage(t, withWebMCP)
	a := addAuthenticator(t, p)
	p.OnNewDocument(watched)
	p.Open(strings.Replace(site.url(t, "/lib/"), "127.0.0.1", "localhost", 1))
	p.WaitFor(`globalThis.webmcp?.version`)
	prepareApprovals(p)
	return p, a
}

// authenticator is a virtual one, as a device has for its human.
type authenticator struct {
	t  *testing.T
	p  *webmcptest.Page
	id webauthn.AuthenticatorID
}

func addAuthenticator(t *testing.T, p *webmcptest.Page) *authenticator {
	t.Helper()
	a := &authenticator{t: t, p: p}
	tell(a, webauthn.Enable, webauthn.EnableParams{})
	a.id = tell(a, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}}).AuthenticatorID
	return a
}

func tell[P, R any](a *authenticator, command cdp.Command[P, R], params P) R {
	a.t.Helper()
	tab := a.p.Driver().Context()
	result, err := cdp.Call(tab, chromedp.FromContext(tab).Target, command, params)
	require.NoError(a.t, err)
	return result
}

// recognizes says whether the human's finger is recognised.
func (a *authenticator) recognizes(does bool) {
	tell(a, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: a.id, IsUserVerified: does})
}

// answers says whether the human does anything.
func (a *authenticator) answers(does bool) {
	tell(a, webauthn.SetAutomaticPresenceSimulation, webauthn.SetAutomaticPresenceSimulationParams{AuthenticatorID: a.id, Enabled: does})
}

func (a *authenticator) remove() {
	tell(a, webauthn.RemoveVirtualAuthenticator, webauthn.RemoveVirtualAuthenticatorParams{AuthenticatorID: a.id})
}

// approveByPasskey presses the button when it works.
func approveByPasskey(p *webmcptest.Page) {
	approve := p.Find("button", "Approve with passkey")
	approve.Until(`!this.hasAttribute('aria-disabled')`)
	approve.Click()
}

// unverified is what the dialog says when the human was not verified.
const unverified = "That was not confirmed, and nothing is approved. Try again, or deny."

func awaitUnverified(p *webmcptest.Page) {
	p.Find("alert", "").Until(`this.textContent === '` + unverified + `'`)
}

func TestAPasskeyApproves(t *testing.T) {
	t.Parallel()
	p, _ := passkeyPage(t)
	p.Do(`async () => {
		await webmcp.approvals.enrol({ name: 'Ada' });
		await make({ verify: 'passkey', remember: ['arguments', 'tool'] }, { hooks: { after: [({ metadata }) => { seen.push(metadata.approval); }] } });
	}`)
	for range 2 { // it is asked each time: nothing is remembered
		call := p.Invoke("pay", map[string]any{"amount": 7})
		p.Find("button", "Approve with passkey")
		require.Equal(t, 0, p.Count("radio", ""), "nothing is offered to be remembered")
		require.True(t, webmcptest.Eval[bool](p, `() => webmcp.approvals.pending()[0].verify`))
		approveByPasskey(p)
		require.Equal(t, "paid 7", call.Text())
	}
	require.Empty(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.remembered()`))
	require.Len(t, webmcptest.Eval[[]any](p, `() => prompts`), 2)

	// What hooks and the function get is what a server needs.
	var approval struct {
		Decision, How, Digest string
		Proof                 struct {
			ID, Nonce, Challenge string
			Assertion            struct {
				ID, Type string
				Response struct{ ClientDataJSON, AuthenticatorData, Signature, UserHandle string }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(webmcptest.Eval[string](p, `() => JSON.stringify(seen[1])`)), &approval))
	proof := approval.Proof
	require.Equal(t, "approve", approval.Decision)
	require.Equal(t, "passkey", approval.How)
	challenge, err := hooks.Challenge(proof.ID, "pay", map[string]any{"amount": 7.0}, proof.Nonce)
	require.NoError(t, err)
	require.Equal(t, base64.RawURLEncoding.EncodeToString(challenge), proof.Challenge)
	clientData, err := base64.RawURLEncoding.DecodeString(proof.Assertion.Response.ClientDataJSON)
	require.NoError(t, err)
	require.Contains(t, string(clientData), `"challenge":"`+proof.Challenge+`"`)
	require.NotEqual(t, webmcptest.Eval[string](p, `() => seen[0].proof.nonce`), proof.Nonce)
}

func TestAPasskeyServesAfterAReload(t *testing.T) {
	t.Parallel()
	p, _ := passkeyPage(t)
	p.Do(`() => webmcp.approvals.enrol()`)
	require.ElementsMatch(t, []string{"id", "publicKey", "algorithm"}, webmcptest.Eval[[]string](p, `() => Object.keys(JSON.parse(localStorage['webmcp-passkey']))`))
	p.Open(strings.Replace(site.url(t, "/lib/"), "127.0.0.1", "localhost", 1))
	p.WaitFor(`globalThis.webmcp?.version`)
	prepareApprovals(p)
	p.Do(`() => make({ verify: 'passkey' })`)
	call := p.Invoke("pay", map[string]any{"amount": 7})
	approveByPasskey(p)
	require.Equal(t, "paid 7", call.Text())
}

func TestWhoIsNotVerifiedHasNotApproved(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meddle string // in the page
		spoil  func(a *authenticator)
		mend   func(a *authenticator)
	}{
		"the human is not recognised": {
			spoil: func(a *authenticator) { a.recognizes(false) },
			mend:  func(a *authenticator) { a.recognizes(true) },
		},
		"the authenticator does not verify": {spoil: overriding(webauthn.SetResponseOverrideBitsParams{IsBadUV: new(true)}), mend: overriding(webauthn.SetResponseOverrideBitsParams{})},
		"nobody was present":                {spoil: overriding(webauthn.SetResponseOverrideBitsParams{IsBadUP: new(true)}), mend: overriding(webauthn.SetResponseOverrideBitsParams{})},
		"the signature is wrong":            {spoil: overriding(webauthn.SetResponseOverrideBitsParams{IsBogusSignature: new(true)}), mend: overriding(webauthn.SetResponseOverrideBitsParams{})},
		"the challenge is another":          {meddle: `options => { options.challenge = new Uint8Array(32); }`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, a := passkeyPage(t)
			p.Do(`async () => {
				await webmcp.approvals.enrol();
				await make({ verify: 'passkey' });
			}`)
			call := p.Invoke("pay", map[string]any{"amount": 7})
			p.Find("button", "Approve with passkey")
			if c.spoil != nil {
				c.spoil(a)
			} else {
				p.Do(`() => { window.meddle = ` + c.meddle + ` }`)
			}
			approveByPasskey(p)
			awaitUnverified(p)
			require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
			require.Len(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), 1, "the question stays")
			if c.mend != nil {
				c.mend(a)
			} else {
				p.Do(`() => { window.meddle = () => {}; }`)
			}
			approveByPasskey(p) // they try again
			require.Equal(t, "paid 7", call.Text())
		})
	}
}

func overriding(params webauthn.SetResponseOverrideBitsParams) func(a *authenticator) {
	return func(a *authenticator) {
		params.AuthenticatorID = a.id
		tell(a, webauthn.SetResponseOverrideBits, params)
	}
}

func TestWithoutAPasskeyNobodyCanApprove(t *testing.T) {
	t.Parallel()
	p, a := passkeyPage(t)
	p.Do(`() => make({ verify: 'passkey' })`)
	call := p.Invoke("pay", map[string]any{"amount": 7})
	approveByPasskey(p)
	require.Equal(t, "APPROVAL_UNAVAILABLE", answerOf(t, call.Result()).Code)
	require.Contains(t, strings.Join(p.Console(), "\n"), "the page has no passkey")
	p.AwaitGone("button", "Approve with passkey")

	// One that was enrolled, on a device that is not at hand: the browser waits for that.
	p.Do(`() => webmcp.approvals.enrol()`)
	a.remove()
	call = p.Invoke("pay", map[string]any{"amount": 8})
	approveByPasskey(p)
	p.WaitFor(`prompts.length === 1`)
	p.Click("button", "Deny")
	require.Equal(t, "USER_DENIED", answerOf(t, call.Result()).Code)
	require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
}

func TestWherePasskeysDoNotWorkNobodyCanApprove(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, said string }{
		"a host without a name":      {`localStorage['webmcp-passkey'] = '{"id":"AA","publicKey":"AA","algorithm":-7}'`, "passkeys do not work here"},
		"a browser without passkeys": {`delete globalThis.PublicKeyCredential`, "this browser has no passkeys"},
		"what is stored is no key":   {`localStorage['webmcp-passkey'] = '{"id":"AA","publicKey":"AA","algorithm":7}'`, "the page has no passkey"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, withWebMCP)
			p.OnNewDocument(c.script)
			p.Open(site.url(t, "/lib/"))
			p.WaitFor(`globalThis.webmcp?.version`)
			prepareApprovals(p)
			p.Do(`() => make({ verify: 'passkey' })`)
			call := p.Invoke("pay", map[string]any{"amount": 7})
			approveByPasskey(p)
			require.Equal(t, "APPROVAL_UNAVAILABLE", answerOf(t, call.Result()).Code)
			require.Contains(t, strings.Join(p.Console(), "\n"), c.said)
			require.NotEmpty(t, webmcptest.Eval[string](p, `() => webmcp.approvals.enrol().then(() => '', ({ message }) => message)`))
		})
	}
}

func TestAQuestionThatIsOverEndsThePrompt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ approval, end, code string }{
		"aborted":      {`{ verify: 'passkey' }`, `() => controller.abort()`, "aborted"},
		"unregistered": {`{ verify: 'passkey' }`, `() => tool.unregister()`, "APPROVAL_UNAVAILABLE"},
		"timed out":    {`{ verify: 'passkey', timeout: 3000 }`, `() => {}`, "APPROVAL_TIMEOUT"},
		"denied":       {`{ verify: 'passkey' }`, ``, "USER_DENIED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, a := passkeyPage(t)
			p.Do(`async () => {
				await webmcp.approvals.enrol();
				window.tool = await make(` + c.approval + `);
				window.controller = new AbortController();
				window.answered = call({ amount: 1 }, { signal: controller.signal }).then(told, () => ({ code: 'aborted' }));
			}`)
			a.answers(false)
			approveByPasskey(p)
			p.WaitFor(`prompts.length === 1`)
			require.Equal(t, "true", p.Find("button", "Approve with passkey").Attr("aria-disabled"))
			p.Find("button", "Approve with passkey").Click() // once more does nothing
			if c.end == "" {
				p.Click("button", "Deny")
			} else {
				p.Do(c.end)
			}
			require.Equal(t, c.code, webmcptest.Eval[answer](p, `() => answered`).Code)
			p.WaitFor(`prompts[0].aborted`)
			p.AwaitGone("button", "Approve with passkey")
			require.Len(t, webmcptest.Eval[[]any](p, `() => prompts`), 1)
			require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
		})
	}
}

func TestTheProofIsOfWhatTheHumanHasMadeOfTheInput(t *testing.T) {
	t.Parallel()
	p, a := passkeyPage(t)
	p.Do(`async () => {
		await webmcp.approvals.enrol();
		await make({ edit: true, verify: 'passkey' }, { hooks: { after: [({ metadata }) => { seen.push(metadata.approval); }] } });
	}`)
	call := p.Invoke("pay", map[string]any{"amount": 7})
	p.Click("button", "Edit")
	p.Find("textbox", "amount").Fill("5")
	a.recognizes(false)
	approveByPasskey(p)
	awaitUnverified(p)
	require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
	p.Find("textbox", "amount").Fill("6") // they go on
	a.recognizes(true)
	approveByPasskey(p)
	require.Contains(t, call.Text(), "paid 6")
	got := webmcptest.Eval[struct {
		How    string
		Edited bool
		Proof  struct{ ID, Nonce, Challenge string }
	}](p, `() => seen[0]`)
	require.Equal(t, "passkey", got.How)
	require.True(t, got.Edited)
	challenge, err := hooks.Challenge(got.Proof.ID, "pay", map[string]any{"amount": 6.0}, got.Proof.Nonce)
	require.NoError(t, err)
	require.Equal(t, base64.RawURLEncoding.EncodeToString(challenge), got.Proof.Challenge)
}

func TestAnEditIsNoWayAroundAProof(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[[]any](p, `async () => {
		const said = [], proofs = [];
		let lets = false;
		const verify = (challenge, { input }) => { proofs.push(input.amount); return lets; };
		const decide = async (approval, decision) => {
			const tool = await make(approval);
			const answered = call({ amount: 1 });
			const [{ id }] = await asked();
			const counts = [await webmcp.approvals.resolve(id, decision)];
			lets = true;
			if (webmcp.approvals.pending().length > 0) counts.push(await webmcp.approvals.resolve(id, decision));
			const { code, text } = told(await answered);
			tool.unregister();
			lets = false;
			said.push(counts.join(), code ?? text);
		};
		const changed = { decision: 'approve', input: { amount: 2 } };
		await decide({ edit: true, verify }, changed); // not proven, then proven
		await decide({ edit: true, verify }, { decision: 'approve', input: { amount: 1 } }); // as it was
		// It demands a proof of more than 1 only, and was not asked before.
		await decide([{ edit: true }, { edit: true, verify, when: ({ input }) => (input.amount > 1 ? 'ask' : 'allow') }], changed);
		// It has been asked, and has got it.
		await decide([{ edit: true }, { edit: true, verify, when: () => 'ask' }], changed);
		const tool = await make({ edit: true, verify, ask: () => changed });
		said.push(told(await call({ amount: 1 })).code);
		return [...said, proofs.join(), ran.length];
	}`)
	require.Equal(t, []any{
		"false,true", "paid 2", "false,true", "paid 1", "true", "APPROVAL_POLICY_ERROR", "false,true", "paid 2", "APPROVAL_UNAVAILABLE",
		"2,2,1,1,2,2,2", 3.0,
	}, got)
}

func TestAScriptCannotStandInForAPasskey(t *testing.T) {
	t.Parallel()
	p, a := passkeyPage(t)
	got := webmcptest.Eval[[]any](p, `async () => {
		await webmcp.approvals.enrol();
		await make({ verify: 'passkey' });
		window.faked = 0;
		const fake = () => { faked++; return Promise.resolve({}); };
		navigator.credentials.get = CredentialsContainer.prototype.get = fake;
		SubtleCrypto.prototype.verify = () => { faked++; return Promise.resolve(true); };
		Object.defineProperty(PublicKeyCredential.prototype, 'response', { get: fake });
		return [];
	}`)
	require.Empty(t, got)
	a.recognizes(false)
	got = webmcptest.Eval[[]any](p, `async () => {
		window.answered = call({ amount: 1 });
		const [{ id }] = await asked();
		return [await webmcp.approvals.resolve(id, 'approve'), webmcp.approvals.pending().length, ran.length, faked];
	}`)
	require.Equal(t, []any{false, 1.0, 0.0, 0.0}, got, "resolve has it verified, too")
	awaitUnverified(p)
	a.recognizes(true)
	got = webmcptest.Eval[[]any](p, `async () => {
		const [{ id }] = webmcp.approvals.pending();
		const both = [webmcp.approvals.resolve(id, 'approve'), webmcp.approvals.resolve(id, 'approve')];
		const counts = await Promise.all(both);
		return [...counts, told(await answered).text, webmcp.approvals.resolve(id, 'approve'), faked, prompts.length];
	}`)
	require.Equal(t, []any{true, false, "paid 1", false, 0.0, 2.0}, got, "one prompt at a time")
}

func TestAPageVerifiesInItsOwnWay(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[map[string]any](p, `async () => {
		let given;
		await make({ verify: async (challenge, more) => {
			given = { challenge, ...more };
			return more.input.amount === 1 ? { signed: 'yes' } : undefined;
		} }, { hooks: { after: [({ metadata }) => { seen.push(metadata.approval); }] } });
		const first = call({ amount: 1 });
		let [{ id }] = await asked();
		const counts = await webmcp.approvals.resolve(id, 'approve');
		const text = told(await first).text;
		const { signal, challenge, ...said } = given;
		const [{ how, digest, proof }] = seen;
		const named = new TextEncoder().encode(JSON.stringify([said.id, said.tool, said.digest, said.nonce]));
		const expected = new Uint8Array(await crypto.subtle.digest('SHA-256', named));
		const second = call({ amount: 2 });
		[{ id }] = await asked();
		const refused = await webmcp.approvals.resolve(id, 'approve'); // it returns nothing
		const open = webmcp.approvals.pending().length;
		webmcp.approvals.resolve(id, 'deny');
		return { counts, text, how, ids: said.id === proof.id && said.tool === 'pay' && said.input.amount === 1 && said.digest === digest && said.nonce === proof.nonce,
			assertion: proof.assertion, over: signal.aborted, challenge: new Uint8Array(challenge).toHex() === expected.toHex(), refused, open, second: told(await second).code };
	}`)
	require.Equal(t, map[string]any{
		"counts": true, "text": "paid 1", "how": "passkey", "ids": true, "assertion": map[string]any{"signed": "yes"}, "over": true,
		"challenge": true, "refused": false, "open": 1.0, "second": "USER_DENIED",
	}, got)
}

func TestWhoDemandsAProofCannotBeOverruled(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	for name, c := range map[string]struct {
		policies string   // from the outside in
		asked    []string // who was, where all agree
		code     string   // where nobody has enrolled
	}{
		"a function":             {`[{ verify: verifier('one') }]`, []string{"one"}, ""},
		"all functions":          {`[{ verify: verifier('one') }, {}, { verify: verifier('two') }]`, []string{"one", "two"}, ""},
		"the same function once": {`[{ verify: shared }, { verify: shared }]`, []string{"shared"}, ""},
		"a function further out stands for passkey": {`[{ verify: verifier('one') }, { verify: 'passkey' }]`, []string{"one"}, ""},
		"a function further in does not":            {`[{ verify: 'passkey' }, { verify: verifier('one') }]`, nil, "APPROVAL_UNAVAILABLE"},
		"nor a policy without":                      {`[{ verify: 'passkey' }, {}, true]`, nil, "APPROVAL_UNAVAILABLE"},
		"one that only asks":                        {`[true, { verify: 'passkey' }]`, nil, "APPROVAL_UNAVAILABLE"},
		"one that allows demands nothing":           {`[true, { when: () => 'allow', verify: 'passkey' }]`, nil, ""},
	} {
		got := webmcptest.Eval[map[string]any](p, `async () => {
			const who = [];
			const verifier = (name) => () => { who.push(name); return name; };
			const shared = verifier('shared');
			const tool = await make(`+c.policies+`);
			const answered = call({ amount: 1 });
			const [{ id }] = await asked();
			await webmcp.approvals.resolve(id, 'approve');
			const { code } = told(await answered);
			tool.unregister();
			return { who, code };
		}`)
		require.ElementsMatch(t, c.asked, got["who"], name)
		if c.code == "" {
			require.Nil(t, got["code"], name)
		} else {
			require.Equal(t, c.code, got["code"], name)
		}
	}
}

func TestARememberedApprovalIsNoProof(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[[]any](p, `async () => {
		await make({ remember: ['arguments', 'tool'] });
		const decide = async (decision) => {
			const answered = call({ amount: 1 });
			const [{ id, verify }] = await asked();
			await webmcp.approvals.resolve(id, decision);
			return [verify, told(await answered).text];
		};
		const first = await decide({ decision: 'approve', remember: 'tool' });
		const remembered = told(await call({ amount: 2 })).text;
		let proofs = 0;
		webmcp.configure({ approval: { when: 'writes', remember: 'tool', verify: () => ++proofs } });
		const second = await decide({ decision: 'approve', remember: 'tool' });
		return [...first, remembered, ...second, proofs, webmcp.approvals.remembered().length];
	}`)
	require.Equal(t, []any{false, "paid 1", "paid 2", true, "paid 1", 1.0, 1.0}, got)
}

func TestACallThatNeedsAProofJoinsNoneThatDoesNot(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[[]any](p, `async () => {
		await make(true);
		const first = call({ amount: 1 });
		await asked();
		webmcp.configure({ approval: { verify: () => 'yes' } });
		const second = call({ amount: 1 }), third = call({ amount: 1 });
		const questions = await asked(2);
		for (const { id } of questions) await webmcp.approvals.resolve(id, 'approve');
		await Promise.all([first, second, third]);
		return [...questions.map(({ verify }) => verify), ran.length];
	}`)
	require.Equal(t, []any{false, true, 2.0}, got)
}

func TestThePagesOwnInterfaceIsVerifiedToo(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[[]any](p, `async () => {
		let lets = true;
		const tool = await make({ ask: () => 'approve', verify: () => lets }, { hooks: { after: [({ metadata }) => { seen.push(metadata.approval.how); }] } });
		const yes = told(await call({ amount: 1 })).text;
		lets = false;
		const no = told(await call({ amount: 2 })).code;
		tool.unregister();
		return [yes, no, ...seen, ran.length];
	}`)
	require.Equal(t, []any{"paid 1", "APPROVAL_UNAVAILABLE", "passkey", 1.0}, got)
}

func TestVerifyIsAPasskeyOrAFunction(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[[]string](p, `async () => {
		const said = [];
		for (const verify of ['face', true, null, {}]) await make({ verify }).catch(({ name }) => said.push(name));
		return said;
	}`)
	require.Equal(t, []string{"ConfigurationError", "ConfigurationError", "ConfigurationError", "ConfigurationError"}, got)
}
