package react

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// around returns what the hooks of the quick start log around a call, from the
// inside out.
func around(phase string) []string {
	return []string{"inner " + phase + " delete_user", "outer " + phase + " delete_user", "global " + phase + " delete_user"}
}

func TestTheQuickStartRunsHooksFromTheOutsideInAndBack(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		for _, mode := range []string{"development", "production"} {
			p := newPage(t)
			p.open(site.url(t, "/react"+version+"/"+mode+"/index.html"))
			p.awaitTools("delete_user", "set_counter")
			p.waitFor(`counter.dataset.status === 'registered'`)
			require.Equal(t, []string{"set_counter", "delete_user"}, eval[[]string](p, `() => registrations`), mode)
			inward := []string{"global before delete_user", "outer before delete_user", "inner before delete_user", "addTenant", "requireApproval"}
			log := func() []string { return eval[[]string](p, `() => log.splice(0)`) }

			text := p.ask("delete_user", input{"id": "u1"})
			require.JSONEq(t, `{"id":"u1","email":"a***@example.com","deleted":true}`, text)
			require.Equal(t, append(append(inward, "deleteUser u1 of tenant_123", "redactResult"), around("after")...), log())

			denied := p.invoke("delete_user", input{"id": "root"}).answer()
			require.Equal(t, "Denied: User declined", denied.Content[0].Text)
			require.Equal(t, "USER_DENIED", denied.Code)
			require.Equal(t, append(append(inward, "tool denied delete_user"), around("denied")...), log())

			failed := p.invoke("delete_user", input{"id": "nobody"}).answer()
			require.Equal(t, "Error: there is no such user", failed.Content[0].Text)
			require.Equal(t, append(append(inward, "deleteUser nobody of tenant_123", "tool error delete_user"), around("error")...), log())

			invalid := p.invoke("delete_user", input{"id": 7}).answer()
			require.True(t, invalid.IsError)
			require.Contains(t, invalid.Content[0].Text, "id")
			require.Equal(t, append(append(inward, "tool error delete_user"), around("error")...), log(), "the schema was not enforced before the function")

			p.do(`() => document.querySelector('button').click()`)
			p.waitFor(`log.length === 2`)
			require.Equal(t, []string{"deleteUser u1 of mine", "clicked ada@example.com"}, log(), "a click ran hooks")
		}
	})
}

func TestAToolOfAComponentSeesItsNewestState(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		p.open(site.url(t, "/react"+version+"/development/index.html"))
		require.Equal(t, "it was 0", p.ask("set_counter", input{"to": 3}))
		p.waitFor(`counter.textContent === '3'`)
		require.Equal(t, "it was 3", p.ask("set_counter", input{"to": 5}))
		p.waitFor(`counter.textContent === '5'`)
		require.Equal(t, []string{
			"global before set_counter", "outer before set_counter", "inner before set_counter", "counter at 3 set_counter",
			"setCounter from 3",
			"inner after set_counter", "outer after set_counter", "global after set_counter",
		}, eval[[]string](p, `() => log.slice(-8)`))
		require.Equal(t, []string{"set_counter", "delete_user"}, eval[[]string](p, `() => registrations`))
	})
}
