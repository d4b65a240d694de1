/** The secret of an authenticator app, to be scanned or typed: shown once. */
import { encode } from 'uqr'
import { CopyText } from '../../ui/button/CopyText.tsx'
import classes from './second-factor.module.css'

/** A telephone cannot scan its own screen. */
const OPEN_HERE = 'Open in the app on this device'

interface ScanKeyProps {
  /** In base32. */
  secret: string
  /** An otpauth:// address. */
  uri: string
}

export function ScanKey({ secret, uri }: ScanKeyProps) {
  return (
    <div className={classes.scan}>
      <QrCode text={uri} />
      <dl className={classes.key}>
        <dt>Key</dt>
        <dd>
          <CopyText text={secret} shown={inFours(secret)} label="Copy key" isWhole />
        </dd>
      </dl>
      <a className={classes.here} href={uri}>
        {OPEN_HERE}
      </a>
    </div>
  )
}

/** Four modules of white around it, as readers want (ISO/IEC 18004). */
const QUIET_ZONE = 4

function QrCode({ text: content }: { text: string }) {
  const { data, size } = encode(content, { ecc: 'M', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  )
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for an authenticator app"
    >
      <path d={dark.join('')} />
    </svg>
  )
}

/** 'ABCD EFGH …': easier to type. */
function inFours(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
