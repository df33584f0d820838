// The elements.

import { revealed, WebMCPApprovals, WebMCPAudit, WebMCPHookLog, WebMCPInspector } from 'webmcp-wasm/elements';
import { same } from './expect';

const log = document.createElement('webmcp-hook-log');
same<typeof log, WebMCPHookLog>(true);
log.limit = 50;
log.clear();
// @ts-expect-error a number
log.limit = '50';
const inspector: WebMCPInspector = document.createElement('webmcp-inspector');
const approvals: WebMCPApprovals = document.createElement('webmcp-approvals');
const audit: WebMCPAudit = document.createElement('webmcp-audit');
audit.paused = audit.limit > 10;
document.body.append(log, inspector, approvals, audit);
same<ReturnType<typeof revealed>, string>(true);
// @ts-expect-error a text
revealed(1);
