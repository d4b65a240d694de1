/** The light build ships without types; it exports what the full one does. */
declare module 'hls.js/light' {
  export { default, ErrorTypes, Events } from 'hls.js'
}
