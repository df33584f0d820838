// Package shop is a shop whose tools are behind one policy, policy.json, wherever they run:
// on an MCP server (this file), and in a page (page.html).
package shop

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webmcp-wasm/webmcp/hooks"
)

//go:embed policy.json
var document []byte

// New returns the server. It fails where the policy is wrong: then nothing is served.
func New() (*mcp.Server, error) {
	policy, err := hooks.ParsePolicy(document)
	if err != nil {
		return nil, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1.0.0"}, nil)
	server.AddReceivingMiddleware(Gate(policy, userOf, hooks.Set{}))
	addTools(server)
	return server, nil
}

// userOf says who calls: the role is in the access token that auth.RequireBearerToken has verified.
func userOf(call *mcp.CallToolRequest) map[string]any {
	if call.Extra == nil || call.Extra.TokenInfo == nil {
		return nil
	}
	return map[string]any{"role": call.Extra.TokenInfo.Extra["role"]}
}

type (
	byID struct {
		ID int `json:"id"`
	}
	order struct {
		Total float64 `json:"total"`
	}
	none struct{}

	card struct {
		Number string `json:"number"`
	}
	user struct {
		ID    int    `json:"id"`
		Email string `json:"email"`
		Cards []card `json:"cards"`
		Notes string `json:"notes"`
	}
)

func addTools(server *mcp.Server) {
	yes := true
	mcp.AddTool(server, &mcp.Tool{Name: "get_user", Description: "Returns a user.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in byID) (*mcp.CallToolResult, user, error) {
			return nil, user{in.ID, "ada@example.com", []card{{"4111111111111111"}}, "pays late"}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "checkout", Description: "Places an order.", Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes}},
		func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			return says("paid %v", in.Total), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "delete_user", Description: "Deletes a user."},
		func(_ context.Context, _ *mcp.CallToolRequest, in byID) (*mcp.CallToolResult, any, error) {
			return says("deleted %d", in.ID), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "export_orders", Description: "Returns all orders."},
		func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			return says("all orders"), nil, nil
		})
}

func says(format string, what ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, what...)}}}
}
