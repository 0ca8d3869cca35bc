/** For every program of this product. */
export declare const NODE_FLAGS: readonly string[];
/** For the server besides. */
export declare const SERVER_FLAGS: readonly string[];
