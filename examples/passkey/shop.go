// Package passkey is a shop that agents can order in, when its customer approves each
// order with their passkey. What the page says counts for nothing: the server verifies
// that the human has approved exactly the order that it gets.
package passkey

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// Shop has one customer, who is signed in. One with more takes them from the session
// of the request.
type Shop struct {
	web *webauthn.WebAuthn

	mu       sync.Mutex
	customer customer
	enrols   *webauthn.SessionData // while the customer makes a passkey
	used     map[string]bool       // challenges of orders: none counts twice
	orders   []Order
}

// Order is what the tool of the page takes.
type Order struct {
	Item  string `json:"item"`
	Count int    `json:"count"`
}

// customer is a webauthn.User.
type customer struct{ passkeys []webauthn.Credential }

func (customer) WebAuthnID() []byte                           { return []byte("customer 1") }
func (customer) WebAuthnName() string                         { return "ada" }
func (customer) WebAuthnDisplayName() string                  { return "Ada" }
func (c customer) WebAuthnCredentials() []webauthn.Credential { return c.passkeys }

// New returns a shop whose page is at an origin, such as https://shop.example, on a host.
func New(host, origin string) (*Shop, error) {
	web, err := webauthn.New(&webauthn.Config{RPID: host, RPDisplayName: "Shop", RPOrigins: []string{origin}})
	return &Shop{web: web, used: map[string]bool{}}, err
}

// Orders returns what was ordered.
func (s *Shop) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.orders
}

// Register adds what the page calls.
func (s *Shop) Register(mux *http.ServeMux) {
	mux.HandleFunc("POST /passkey/begin", s.begin)
	mux.HandleFunc("POST /passkey/finish", s.finish)
	mux.HandleFunc("POST /passkeys", s.passkeys)
	mux.HandleFunc("POST /order", s.order)
}

// begin lets the customer make a passkey. A real shop asks for their password first.
func (s *Shop) begin(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	options, session, err := s.web.BeginRegistration(s.customer, webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
		UserVerification: protocol.VerificationRequired, ResidentKey: protocol.ResidentKeyRequirementPreferred,
	}))
	s.enrols = session
	answer(w, options, err)
}

func (s *Shop) finish(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.enrols == nil {
		answer(w, nil, errors.New("nobody makes a passkey"))
		return
	}
	passkey, err := s.web.FinishRegistration(s.customer, *s.enrols, r)
	s.enrols = nil
	if err == nil {
		s.customer.passkeys = append(s.customer.passkeys, *passkey)
	}
	answer(w, "done", err)
}

// passkeys tells the page which passkeys it may ask for.
func (s *Shop) passkeys(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []protocol.CredentialDescriptor
	for _, passkey := range s.customer.passkeys {
		all = append(all, passkey.Descriptor())
	}
	answer(w, all, nil)
}

// order acts on an order that the customer has approved.
func (s *Shop) order(w http.ResponseWriter, r *http.Request) {
	var sent struct {
		Order     json.RawMessage // as the tool got it: what was approved
		ID, Nonce string          // of metadata.approval.proof
		Assertion json.RawMessage
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&sent); err != nil {
		answer(w, nil, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.approved("order", sent.Order, sent.ID, sent.Nonce, sent.Assertion); err != nil {
		answer(w, nil, err)
		return
	}
	var order Order
	if err := json.Unmarshal(sent.Order, &order); err != nil {
		answer(w, nil, err)
		return
	}
	s.orders = append(s.orders, order)
	answer(w, "ordered", nil)
}

// approved returns nil where the customer has approved a call of a tool with just this
// input, which nobody has acted on yet.
func (s *Shop) approved(tool string, input json.RawMessage, id, nonce string, assertion []byte) error {
	var value any
	if err := json.Unmarshal(input, &value); err != nil {
		return err
	}
	challenge, err := hooks.Challenge(id, tool, value, nonce)
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(assertion)
	if err != nil {
		return err
	}
	signed := base64.RawURLEncoding.EncodeToString(challenge)
	if s.used[signed] {
		return errors.New("this was done already")
	}
	passkey, err := s.web.ValidateLogin(s.customer, webauthn.SessionData{
		Challenge: signed, UserID: s.customer.WebAuthnID(), UserVerification: protocol.VerificationRequired,
	}, parsed)
	if err != nil {
		return err
	}
	if passkey.Authenticator.CloneWarning {
		return errors.New("the passkey may have been copied")
	}
	s.used[signed] = true // a real shop writes it down with the order, in one transaction
	for i, known := range s.customer.passkeys {
		if string(known.ID) == string(passkey.ID) {
			s.customer.passkeys[i] = *passkey // with its counter
		}
	}
	return nil
}

func answer(w http.ResponseWriter, value any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusForbidden)
		value = err.Error()
	}
	_ = json.NewEncoder(w).Encode(value)
}
