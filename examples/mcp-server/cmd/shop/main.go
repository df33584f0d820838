// Command shop is the server for a client that starts it and talks to it by its standard
// input and output. Nobody has a role there, so nobody deletes users; package shop's test
// has the server behind HTTP, where access tokens say who calls.
package main

import (
	"context"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	shop "example.com/mcp-server"
)

func main() {
	server, err := shop.New()
	if err != nil {
		log.Fatal(err)
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
