/** Line icons on a 16-unit grid, drawn in the colour of the text beside them. */
import type { ReactNode } from 'react'

const icons = {
  search: line(
    <>
      <circle cx="7" cy="7" r="4.2" />
      <path d="M10.2 10.2L13.4 13.4" />
    </>,
  ),
  out: line(
    <path d="M9.5 3H4.2A1.2 1.2 0 0 0 3 4.2v7.6A1.2 1.2 0 0 0 4.2 13h5.3M7.4 8h6M11 5.4L13.6 8 11 10.6" />,
  ),
  down: line(<path d="M4.5 6.3L8 9.8l3.5-3.5" />),
  up: line(<path d="M4.5 9.8L8 6.3l3.5 3.5" />),
  left: line(<path d="M9.7 4.5L6.2 8l3.5 3.5" />),
  right: line(<path d="M6.3 4.5L9.8 8l-3.5 3.5" />),
  filter: line(<path d="M2.6 4.4h10.8M4.8 8h6.4M6.8 11.6h2.4" />),
  refresh: line(
    <>
      <path d="M2.8 8a5.2 5.2 0 0 1 9-3.5M13.2 8a5.2 5.2 0 0 1-9 3.5" />
      <path d="M12 1.9v2.8H9.2M4 14.1v-2.8h2.8" />
    </>,
  ),
  restart: line(
    <>
      <path d="M13 8a5 5 0 1 1-1.6-3.7" />
      <path d="M13.2 2.4v2.8h-2.8" />
    </>,
  ),
  plus: line(<path d="M8 3.2v9.6M3.2 8h9.6" />),
  minus: line(<path d="M4 8h8" />),
  close: line(<path d="M4 4l8 8M12 4l-8 8" />),
  check: line(<path d="M3.4 8.4l3 3 6.2-6.6" />),
  copy: line(
    <>
      <rect x="5.6" y="5.6" width="7.4" height="7.4" rx="1.3" />
      <path d="M10.4 5.4V4.2A1.2 1.2 0 0 0 9.2 3H4.2A1.2 1.2 0 0 0 3 4.2v5a1.2 1.2 0 0 0 1.2 1.2h1.2" />
    </>,
  ),
  log: line(<path d="M3 4h10M3 8h7M3 12h9" />),
  lock: line(
    <>
      <rect x="3.6" y="7" width="8.8" height="6.2" rx="1.3" />
      <path d="M5.4 7V5.2a2.6 2.6 0 0 1 5.2 0V7" />
    </>,
  ),
  pencil: line(<path d="M10.6 3.2l2.2 2.2-7.2 7.2-2.8.6.6-2.8z" />),
  bin: line(
    <>
      <path d="M2.8 4.4h10.4M6.2 4.2V2.8h3.6v1.4" />
      <path d="M4.2 4.6l.6 8.6h6.4l.6-8.6M6.7 7.2v3.4M9.3 7.2v3.4" />
    </>,
  ),
  eye: line(
    <>
      <path d="M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>,
  ),
  'eye-off': line(
    <>
      <path d="M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8z" />
      <path d="M3 13L13 3" />
    </>,
  ),
  info: line(
    <>
      <circle cx="8" cy="8" r="5.4" />
      <path d="M8 7.4v3.4M8 5.2v.1" />
    </>,
  ),
  history: line(<path d="M3 8a5 5 0 1 0 1.6-3.7M2.8 2.6v2.6h2.6M8 5.4V8l2 1.4" />),
  move: line(
    <path d="M2.8 5.4h9.4M9.8 3l2.6 2.4-2.6 2.4M13.2 10.8H3.8M6.2 8.4l-2.6 2.4 2.6 2.4" />,
  ),
  volume: line(
    <>
      <path d="M3 6.3v3.4h2.3L8.4 12.4V3.6L5.3 6.3z" />
      <path d="M10.7 6a2.8 2.8 0 0 1 0 4M12.4 4.2a5.3 5.3 0 0 1 0 7.6" />
    </>,
  ),
  muted: line(
    <>
      <path d="M3 6.3v3.4h2.3L8.4 12.4V3.6L5.3 6.3z" />
      <path d="M10.8 6.2l3.4 3.6M14.2 6.2l-3.4 3.6" />
    </>,
  ),
  'full-screen': line(<path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" />),
  dashboard: line(
    <>
      <rect x="2.8" y="2.8" width="4.4" height="4.4" rx=".8" />
      <rect x="8.8" y="2.8" width="4.4" height="4.4" rx=".8" />
      <rect x="2.8" y="8.8" width="4.4" height="4.4" rx=".8" />
      <rect x="8.8" y="8.8" width="4.4" height="4.4" rx=".8" />
    </>,
  ),
  encoder: line(
    <>
      <rect x="2.2" y="4.4" width="8" height="7.2" rx="1.3" />
      <path d="M10.2 7.2l3.6-2v5.6l-3.6-2" />
    </>,
  ),
  channel: line(
    <>
      <rect x="2.2" y="3.4" width="11.6" height="7.8" rx="1.3" />
      <path d="M5.4 13.4h5.2M7 5.8v3l2.6-1.5z" />
    </>,
  ),
  contribution: line(
    <>
      <circle cx="3.6" cy="8" r="1.5" />
      <circle cx="12.4" cy="4" r="1.5" />
      <circle cx="12.4" cy="12" r="1.5" />
      <path d="M5.1 8h2.2c2 0 1.6-4 3.6-4M7.3 8c2 0 1.6 4 3.6 4" />
    </>,
  ),
  server: line(
    <>
      <rect x="2.6" y="3" width="10.8" height="4.2" rx="1.1" />
      <rect x="2.6" y="8.8" width="10.8" height="4.2" rx="1.1" />
      <path d="M5 5.1h.1M5 10.9h.1" />
    </>,
  ),
  group: line(
    <>
      <circle cx="6" cy="5.6" r="2.2" />
      <path d="M2.2 12.8c.3-2.3 1.8-3.6 3.8-3.6s3.5 1.3 3.8 3.6M10.4 3.7a2.2 2.2 0 0 1 0 3.9M11.4 9.5c1.4.4 2.2 1.6 2.4 3.3" />
    </>,
  ),
  access: line(
    <>
      <circle cx="5.6" cy="10.4" r="2.8" />
      <path d="M7.6 8.4l5.2-5.2M10.4 5.6l1.8 1.8" />
    </>,
  ),
  person: line(
    <>
      <circle cx="8" cy="5.4" r="2.6" />
      <path d="M2.9 13.4a5.1 5.1 0 0 1 10.2 0" />
    </>,
  ),
  menu: line(<path d="M2.6 4.6h10.8M2.6 8h10.8M2.6 11.4h10.8" />),
  keyboard: line(
    <>
      <rect x="1.8" y="4" width="12.4" height="8" rx="1.3" />
      <path d="M4.4 6.6h.1M7 6.6h.1M9.6 6.6h.1M11.8 6.6h.1M5.4 9.6h5.2" />
    </>,
  ),
  moon: line(<path d="M13 9.6A5.4 5.4 0 0 1 6.4 3a5.4 5.4 0 1 0 6.6 6.6z" />),
  sun: line(
    <>
      <circle cx="8" cy="8" r="2.7" />
      <path d="M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1" />
    </>,
  ),
  system: line(
    <>
      <rect x="2.2" y="3" width="11.6" height="8" rx="1.2" />
      <path d="M6 13.4h4M8 11v2.4" />
    </>,
  ),
  more: (
    <>
      <circle cx="3.5" cy="8" r="1.3" fill="currentColor" />
      <circle cx="8" cy="8" r="1.3" fill="currentColor" />
      <circle cx="12.5" cy="8" r="1.3" fill="currentColor" />
    </>
  ),
  play: (
    <path
      d="M5 3.4v9.2a.6.6 0 0 0 .92.5l7-4.6a.6.6 0 0 0 0-1l-7-4.6A.6.6 0 0 0 5 3.4z"
      fill="currentColor"
    />
  ),
  pause: <path d="M4.5 3.2h2.4v9.6H4.5zM9.1 3.2h2.4v9.6H9.1z" fill="currentColor" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1.2" fill="currentColor" />,
}

export type IconName = keyof typeof icons

function line(children: ReactNode): ReactNode {
  return (
    <g
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </g>
  )
}

/** Decoration: the button or the word beside it names what it means. `size` in pixels. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {icons[name]}
    </svg>
  )
}
