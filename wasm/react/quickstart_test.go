package react

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// around returns what the hooks of the quick start log around a call, from the
// inside out.
func around(phase string) []string {
	return []string{"inner " + phase + " delete_user", "outer " + phase + " delete_user", "global " + phase + " delete_user"}
}

func TestTheQuickStartRunsHooksFromTheOutsideInAndBack(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		for _, mode := range []string{"development", "production"} {
			p.About("the %s build", mode)
			p.Open(site.url(t, "/react"+version+"/"+mode+"/index.html"))
			p.AwaitTools("delete_user", "set_counter")
			p.WaitFor(`counter.dataset.status === 'registered'`)
			require.Equal(t, []string{"set_counter", "delete_user"}, webmcptest.Eval[[]string](p, `() => registrations`), mode)
			inward := []string{"global before delete_user", "outer before delete_user", "inner before delete_user", "addTenant", "requireApproval"}
			log := func() []string { return webmcptest.Eval[[]string](p, `() => log.splice(0)`) }

			text := p.Ask("delete_user", input{"id": "u1"})
			require.JSONEq(t, `{"id":"u1","email":"a***@example.com","deleted":true}`, text)
			require.Equal(t, append(append(inward, "deleteUser u1 of tenant_123", "redactResult"), around("after")...), log())

			denied := p.Invoke("delete_user", input{"id": "root"}).Result()
			require.Equal(t, "Denied: User declined", denied.Text())
			require.Equal(t, "USER_DENIED", denied.Code)
			require.Equal(t, append(append(inward, "tool denied delete_user"), around("denied")...), log())

			failed := p.Invoke("delete_user", input{"id": "nobody"}).Result()
			require.Equal(t, "Error: there is no such user", failed.Text())
			require.Equal(t, append(append(inward, "deleteUser nobody of tenant_123", "tool error delete_user"), around("error")...), log())

			invalid := p.Invoke("delete_user", input{"id": 7}).Result()
			require.True(t, invalid.IsError)
			require.Contains(t, invalid.Text(), "id")
			require.Equal(t, append(append(inward, "tool error delete_user"), around("error")...), log(), "the schema was not enforced before the function")

			p.Do(`() => document.querySelector('button').click()`)
			p.WaitFor(`log.length === 2`)
			require.Equal(t, []string{"deleteUser u1 of mine", "clicked ada@example.com"}, log(), "a click ran hooks")
		}
	})
}

func TestAToolOfAComponentSeesItsNewestState(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		p.Open(site.url(t, "/react"+version+"/development/index.html"))
		require.Equal(t, "it was 0", p.Ask("set_counter", input{"to": 3}))
		p.WaitFor(`counter.textContent === '3'`)
		require.Equal(t, "it was 3", p.Ask("set_counter", input{"to": 5}))
		p.WaitFor(`counter.textContent === '5'`)
		require.Equal(t, []string{
			"global before set_counter", "outer before set_counter", "inner before set_counter", "counter at 3 set_counter",
			"setCounter from 3",
			"inner after set_counter", "outer after set_counter", "global after set_counter",
		}, webmcptest.Eval[[]string](p, `() => log.slice(-8)`))
		require.Equal(t, []string{"set_counter", "delete_user"}, webmcptest.Eval[[]string](p, `() => registrations`))
	})
}
