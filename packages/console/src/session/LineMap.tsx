/** The picture behind sign-in: lines from left and right that meet in the middle. Decoration only. */
import classes from './LineMap.module.css'

interface Line {
  y: number
  /** Where it leaves the level, from its own edge. */
  bendX: number
  joinY: number
  left: End
  right: End
}

/** A station and a smaller one on the way in. */
interface End {
  x: number
  dotX: number
  kind: 'disc' | 'half' | 'ring'
}

const lines: readonly Line[] = [
  line(70, 134, 422, end(49, 122, 'disc'), end(1378, 1322, 'disc')),
  line(165, 148, 429, end(63, 107, 'disc'), end(1373, 1335, 'disc')),
  line(260, 162, 436, end(50, 106, 'disc'), end(1369, 1326, 'ring')),
  line(355, 176, 443, end(70, 112, 'half'), end(1379, 1339, 'disc')),
  line(450, 190, 450, end(46, 118, 'disc'), end(1397, 1331, 'disc')),
  line(545, 176, 457, end(59, 121, 'disc'), end(1373, 1332, 'disc')),
  line(640, 162, 464, end(54, 102, 'ring'), end(1387, 1319, 'disc')),
  line(735, 148, 471, end(70, 101, 'disc'), end(1386, 1328, 'disc')),
  line(830, 134, 478, end(51, 123, 'disc'), end(1382, 1331, 'half')),
]

function line(y: number, bendX: number, joinY: number, left: End, right: End): Line {
  return { y, bendX, joinY, left, right }
}

function end(x: number, dotX: number, kind: End['kind']): End {
  return { x, dotX, kind }
}

const WIDTH = 1440
const JOIN_X = 530

export function LineMap() {
  return (
    <svg
      className={classes.map}
      viewBox="0 0 1440 900"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id="line-map" gradientUnits="userSpaceOnUse" x1="0" x2={WIDTH}>
          <stop stopColor="var(--control)" stopOpacity="0.5" />
          <stop offset="0.3" stopColor="var(--control)" stopOpacity="0.42" />
          <stop offset="0.37" stopColor="var(--control)" stopOpacity="0.18" />
          <stop offset="0.63" stopColor="var(--control)" stopOpacity="0.18" />
          <stop offset="0.7" stopColor="var(--control)" stopOpacity="0.42" />
          <stop offset="1" stopColor="var(--control)" stopOpacity="0.5" />
        </linearGradient>
      </defs>
      {lines.map(({ y, bendX, joinY, left, right }) => (
        <g key={y}>
          <path
            stroke="url(#line-map)"
            d={`M0 ${y}H${bendX}C${bendX + 120} ${y} 370 ${joinY} ${JOIN_X} ${joinY}`}
          />
          <path
            stroke="url(#line-map)"
            d={`M${WIDTH} ${y}H${WIDTH - bendX}C${WIDTH - bendX - 120} ${y} 1070 ${joinY} ${WIDTH - JOIN_X} ${joinY}`}
          />
          <Station end={left} y={y} />
          <Station end={right} y={y} />
        </g>
      ))}
    </svg>
  )
}

function Station({ end: { x, dotX, kind }, y }: { end: End; y: number }) {
  return (
    <>
      <circle cx={x} cy={y} r="11" className={classes.ground} />
      {kind === 'disc' && <circle cx={x} cy={y} r="6.25" className={classes.full} />}
      {kind === 'ring' && <circle cx={x} cy={y} r="5.5" className={classes.ring} />}
      {kind === 'half' && (
        <>
          <circle cx={x} cy={y} r="6.25" className={classes.half} />
          <path className={classes.full} d={`M${x} ${y - 6.25}a6.25 6.25 0 0 0 0 12.5z`} />
        </>
      )}
      <circle cx={dotX} cy={y} r="3.2" className={classes.full} />
    </>
  )
}
