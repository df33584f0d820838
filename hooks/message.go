package hooks

import (
	"sync"

	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// message is what the agent is to read of a failure. All error hooks of a call
// share it.
type message struct {
	mu     sync.Mutex
	text   string
	isRead bool   // by the hook that runs
	isDone bool   // what hooks say comes too late
	onRead func() // may be nil
}

// Message returns what the agent is to read of the failure, without "Error: ", as
// the error hooks before have left it; "" outside of error hooks. When a hook that
// has called Message or SetMessage fails or is late, the agent reads a general
// sentence: what was to be redacted does not leak.
func (c *Call) Message() string { return c.message.use(nil) }

// SetMessage sets what the agent is to read of the failure, in an error hook. An
// empty text is a general sentence. Elsewhere it has no effect.
func (c *Call) SetMessage(text string) { c.message.use(&text) }

func (m *message) use(text *string) string {
	if m == nil {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.isRead && !m.isDone {
		m.isRead = true
		if m.onRead != nil {
			m.onRead()
		}
	}
	if text != nil && !m.isDone {
		if m.text = *text; m.text == "" {
			m.text = texts.Concealed
		}
	}
	return m.text
}

// begin takes note that another hook runs.
func (m *message) begin() {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.isRead = false
	}
}

// TellErrorHooks gives the error hooks that get c a message to read and to set,
// for drivers. onRead, if it is not nil, is called when a hook has read it first.
func TellErrorHooks(c *Call, text string, onRead func()) {
	c.message = &message{text: text, onRead: onRead}
}

// MessageOf returns what the error hooks that got c have made of the message, for
// drivers.
func MessageOf(c *Call) string {
	if c.message == nil {
		return ""
	}
	c.message.mu.Lock()
	defer c.message.mu.Unlock()
	return c.message.text
}

// ConcealMessage takes note, for drivers, that the hook that runs has failed: what
// it was to redact must not leak.
func ConcealMessage(c *Call) { c.message.conceal() }

func (m *message) conceal() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.isRead {
		m.text = texts.Concealed
	}
}

// end takes note that nobody waits for error hooks any longer.
func (m *message) end() {
	if m == nil {
		return
	}
	m.conceal()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.isDone = true
}
