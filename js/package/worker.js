// The worker of a browser.

import { serve } from './engine.js';

serve((listener) => { onmessage = ({ data }) => listener(data); }, (message) => postMessage(message));
