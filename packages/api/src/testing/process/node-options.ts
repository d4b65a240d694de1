/** Of Node, as the unit of the API starts it (tools/package/trunkline/trunkline.service). */
export const API_NODE_OPTIONS = ['--max-semi-space-size=8']
