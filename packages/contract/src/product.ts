/** Q2: the one place that names the product. */
export const PRODUCT_NAME = 'Trunkline'
