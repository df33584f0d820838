// The other files of the package.

import address from 'webmcp-wasm/webmcp.wasm';
import { same } from './expect';

same<typeof address, string>(true);
// @ts-expect-error there is no such file
import * as none from 'webmcp-wasm/glue.js';

export { none };
