// Starts an IPFS daemon of npm's ipfs in the folder that is named, with no connection to others, and prints where its HTTP interface listens.
// Newer parts of ipfs need what Node has from 22 on.
Promise.withResolvers ??= () => {
  const it = {}
  it.promise = new Promise((resolve, reject) => Object.assign(it, { resolve, reject }))
  return it
}

const { Daemon } = await import('ipfs-daemon')

const daemon = new Daemon({
  repo: process.argv[2],
  offline: true,
  silent: true,
  init: { emptyRepo: true },
  config: {
    Addresses: { Swarm: [], API: '/ip4/127.0.0.1/tcp/0', RPC: '/ip4/127.0.0.1/tcp/0', Gateway: '/ip4/127.0.0.1/tcp/0', Delegates: [] },
    Bootstrap: [],
    Discovery: { MDNS: { Enabled: false }, webRTCStar: { Enabled: false } }
  }
})
await daemon.start()
console.log(daemon._httpApi._apiServers[0].info.uri.replace('http://', ''))
process.stdin.on('end', () => process.exit(0)).resume()
