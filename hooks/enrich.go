package hooks

import (
	"context"
	"errors"
	"maps"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Enrich returns hooks that add members to the input, in place of what the agent has
// sent under their names. A call whose input is no object fails. The values are copied,
// when Enrich is called and for each call. Enrich panics for what JSON cannot say.
func Enrich(values map[string]any) Set {
	kept, err := jsontape.Own(values)
	if err != nil {
		panic("hooks: Enrich: " + err.Error())
	}
	members, _ := kept.(map[string]any)
	return EnrichWith(func(context.Context, *Call) (map[string]any, error) { return members, nil })
}

// EnrichWith is Enrich with what a function returns for each call. Nil adds nothing, and
// an error fails the call. EnrichWith panics where the function is nil.
func EnrichWith(values func(ctx context.Context, c *Call) (map[string]any, error)) Set {
	if values == nil {
		panic("hooks: EnrichWith needs a function")
	}
	before := func(ctx context.Context, c *Call) error {
		more, err := values(ctx, c)
		if err != nil || more == nil {
			return err
		}
		added, err := jsontape.Own(more)
		if err != nil {
			return &ValueError{"input", err}
		}
		input, ok := c.Input.(map[string]any)
		if !ok {
			return errors.New("the input is no object, and so nothing can be added to it")
		}
		enriched := maps.Clone(input)
		maps.Copy(enriched, added.(map[string]any))
		c.Input = enriched
		return nil
	}
	return Set{Before: []Hook{before}}
}
