package shop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// Gate returns middleware for a server: every call of a tool goes through a policy, and
// through hooks where there are any. user says what the policy's conditions know of who
// calls, from the session and its authorisation, never from what the agent sends.
//
// It is the server's outermost middleware, so no tool gets around it, also one that is
// added later. What a call that was denied or has failed has for programs (code, executed,
// retryAfter) is in _meta, since a result of MCP has no place of its own for it.
func Gate(policy *hooks.Policy, user func(*mcp.CallToolRequest) map[string]any, around hooks.Set) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			call, ok := req.(*mcp.CallToolRequest)
			if !ok {
				return next(ctx, method, req)
			}
			contract, err := contractOf(ctx, call, next)
			if err != nil {
				return nil, err
			}
			var input any
			if err := json.Unmarshal(orEmpty(call.Params.Arguments), &input); err != nil {
				return nil, fmt.Errorf("the arguments are not JSON: %w", err)
			}
			ctx = hooks.WithPolicyContext(hooks.WithPolicy(ctx, policy), user(call))
			ctx = hooks.WithApprovals(ctx, hooks.NewApprovals(asking(call)))
			tool := hooks.Tool{Contract: contract, Hooks: around, Handler: func(ctx context.Context, c *hooks.Call) (any, error) {
				params := *call.Params
				if params.Arguments, err = json.Marshal(c.Input); err != nil { // what the policy has seen, and nothing else
					return nil, err
				}
				result, err := next(ctx, method, &mcp.CallToolRequest{Session: call.Session, Params: &params, Extra: call.Extra})
				if err != nil {
					return nil, err
				}
				return anyOf(result)
			}}
			return resultOf(hooks.Run(ctx, &tool, input))
		}
	}
}

// contractOf returns what the server says of the tool that is called.
func contractOf(ctx context.Context, call *mcp.CallToolRequest, next mcp.MethodHandler) (c hooks.Contract, err error) {
	for cursor := ""; ; {
		listed, err := next(ctx, "tools/list", &mcp.ListToolsRequest{Session: call.Session, Params: &mcp.ListToolsParams{Cursor: cursor}, Extra: call.Extra})
		if err != nil {
			return c, err
		}
		page := listed.(*mcp.ListToolsResult)
		for _, tool := range page.Tools {
			if tool.Name != call.Params.Name {
				continue
			}
			schema, err := json.Marshal(tool.InputSchema)
			if err != nil {
				return c, err
			}
			c = hooks.Contract{Name: tool.Name, Title: tool.Title, Description: tool.Description, InputSchema: string(schema)}
			if a := tool.Annotations; a != nil {
				c.Annotations.ReadOnlyHint = a.ReadOnlyHint
				c.Annotations.ConsequentialHint = !a.ReadOnlyHint && a.DestructiveHint != nil && *a.DestructiveHint
				c.Annotations.UntrustedContentHint = a.OpenWorldHint != nil && *a.OpenWorldHint
			}
			return c, nil
		}
		if cursor = page.NextCursor; cursor == "" {
			return c, fmt.Errorf("there is no tool %q", call.Params.Name)
		}
	}
}

var errNobody = errors.New("the client has no way to ask the user (elicitation)")

// asking has the client ask the user, where it can: by elicitation. Without, the call fails
// with the code APPROVAL_UNAVAILABLE, and nothing is done.
func asking(call *mcp.CallToolRequest) hooks.Approver {
	return hooks.ApproverFunc(func(ctx context.Context, q hooks.Question) (hooks.Decision, error) {
		if can := call.ClientCapabilities(); can == nil || can.Elicitation == nil {
			return hooks.Decision{}, errNobody
		}
		input, err := json.MarshalIndent(q.Input, "", "  ")
		if err != nil {
			return hooks.Decision{}, err
		}
		title := q.Title
		if title == "" {
			title = "Allow " + q.Tool.Name + "?"
		}
		answer, err := call.Session.Elicit(ctx, &mcp.ElicitParams{
			Message:         title + "\n" + string(input),
			RequestedSchema: json.RawMessage(`{"type": "object", "properties": {}}`),
		})
		if err != nil {
			return hooks.Decision{}, err
		}
		return hooks.Decision{Approve: answer.Action == "accept"}, nil
	})
}

// resultOf returns a result of MCP.
func resultOf(r hooks.Result) (mcp.Result, error) {
	text, err := r.MarshalJSON()
	if err != nil {
		return nil, err
	}
	result := new(mcp.CallToolResult)
	if err := json.Unmarshal(text, result); err != nil {
		return nil, err
	}
	if !r.IsError {
		return result, nil
	}
	if result.Meta == nil {
		result.Meta = mcp.Meta{}
	}
	if r.Code != "" {
		result.Meta["code"] = r.Code
	}
	if r.Executed != nil {
		result.Meta["executed"] = *r.Executed
	}
	if again, ok := r.More["retryAfter"]; ok {
		result.Meta["retryAfter"] = again
	}
	return result, nil
}

// anyOf returns a value as JSON has it.
func anyOf(v any) (as any, err error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return as, json.Unmarshal(text, &as)
}

func orEmpty(arguments json.RawMessage) []byte {
	if len(arguments) == 0 {
		return []byte("{}")
	}
	return arguments
}
