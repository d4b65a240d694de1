/** Q2: the one place that names the product. */
export const PRODUCT_NAME = 'Trunkline'

/** That of package.json, which `npm run package` compares. */
export const PRODUCT_VERSION = '0.1.0'
