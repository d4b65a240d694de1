/** The status vocabulary as shapes: each reads without its colour (design: never colour alone). */
import type { Family, Shape as ShapeName } from '@trunkline/contract/fleet/state-view.rules'
import type { ReactNode } from 'react'
import classes from './Shape.module.css'

const OCTAGON = 'M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4z'
const cut = 'var(--cut)'

const shapes: Record<ShapeName, ReactNode> = {
  disc: <circle cx="8" cy="8" r="5" fill="currentColor" />,
  'half-disc': (
    <>
      <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M8 3a5 5 0 0 0 0 10z" fill="currentColor" />
    </>
  ),
  ring: <circle cx="8" cy="8" r="4.4" fill="none" stroke="currentColor" strokeWidth="2.4" />,
  triangle: (
    <>
      <path
        d="M8 2.3L14.5 13.3H1.5z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinejoin="round"
      />
      <path d="M8 6.2v3.4M8 11.5v.1" stroke={cut} strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  octagon: (
    <>
      <path d={OCTAGON} fill="currentColor" />
      <path d="M8 4.8v4M8 11.2v.1" stroke={cut} strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
  'octagon-square': (
    <>
      <path d={OCTAGON} fill="currentColor" />
      <rect x="5.3" y="5.3" width="5.4" height="5.4" rx=".8" fill={cut} />
    </>
  ),
  'diamond-x': (
    <>
      <path
        d="M8 1.7L14.3 8 8 14.3 1.7 8z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="1"
        strokeLinejoin="round"
      />
      <path d="M6 6l4 4M10 6l-4 4" stroke={cut} strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  'diamond-question': (
    <>
      <path
        d="M8 2L14 8 8 14 2 8z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <path
        d="M6.6 6.8A1.45 1.45 0 1 1 8.7 8q-.7.4-.7 1M8 10.8v.05"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        strokeLinecap="round"
      />
    </>
  ),
  square: <rect x="3.6" y="3.6" width="8.8" height="8.8" rx="1.4" fill="currentColor" />,
  'ring-slash': (
    <>
      <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="1.7" />
      <path d="M4.6 11.4l6.8-6.8" stroke="currentColor" strokeWidth="1.7" />
    </>
  ),
  'ring-dashed': (
    <circle
      cx="8"
      cy="8"
      r="5.1"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeDasharray="2.4 2.94"
    />
  ),
  arc: (
    <circle
      cx="8"
      cy="8"
      r="4.8"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeDasharray="19 11.2"
      transform="rotate(-60 8 8)"
    />
  ),
  house: (
    <path
      d="M3.2 7.4L8 3.4l4.8 4v5.2H3.2z"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinejoin="round"
    />
  ),
}

interface ShapeProps {
  shape: ShapeName
  family: Family
  /** Pixels. */
  size?: number
  /** Spoken in place of the picture; without it the word beside the shape speaks. */
  label?: string
}

export function Shape({ shape, family, size = 14, label }: ShapeProps) {
  const spoken =
    label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <svg
      className={classes.shape}
      data-f={family}
      data-shape={shape}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      {...spoken}
    >
      {shapes[shape]}
    </svg>
  )
}
