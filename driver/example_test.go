package driver_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/webmcp-wasm/webmcp/driver"
)

// shop is a page with a tool that asks the human.
const shop = `<!doctype html><button id=yes hidden>Approve</button><script>
	document.modelContext.registerTool({
		name: 'order', description: 'Orders tea.',
		execute: ({ cups }) => new Promise(resolve => {
			yes.hidden = false;
			yes.onclick = () => resolve({ content: [{ type: 'text', text: cups + ' cups are on their way' }] });
		}),
	});
</script>`

func Example() {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, shop) }))
	defer web.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	b, err := driver.Start(ctx, driver.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	p, err := b.NewPage(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Open(ctx, web.URL); err != nil {
		log.Fatal(err)
	}

	call, err := p.Invoke(ctx, "order", map[string]int{"cups": 2})
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Click(ctx, "button", "Approve"); err != nil {
		log.Fatal(err)
	}
	result, err := call.Result(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())

	// An agent that changes its mind.
	call, err = p.Invoke(ctx, "order", map[string]int{"cups": 200})
	if err != nil {
		log.Fatal(err)
	}
	if err := call.Cancel(ctx); err != nil {
		log.Fatal(err)
	}
	_, err = call.Result(ctx)
	fmt.Println(errors.Is(err, driver.ErrCanceled))
	// Output:
	// 2 cups are on their way
	// true
}
